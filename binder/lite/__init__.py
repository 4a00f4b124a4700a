"""The course as a site that needs nothing but a browser: JupyterLite, with Python compiled to WebAssembly."""
