package javax.annotation;

/** What generated classes are marked with; Java has it no longer since version 11, and only tools read it. */
public @interface Generated {
    String[] value();

    String date() default "";

    String comments() default "";
}
