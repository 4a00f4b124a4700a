"""The values of the sample users' fields, of which `fakes.data.population` chooses."""

DOMAIN_ID = 10000001
MAIL_DOMAIN = "example.com"

# Family and given names: Latin letters, katakana reading, own script, and the language of that script.
LAST_NAMES = (
    ("Sato", "サトウ", "佐藤", "ja_JP"),
    ("Suzuki", "スズキ", "鈴木", "ja_JP"),
    ("Takahashi", "タカハシ", "高橋", "ja_JP"),
    ("Tanaka", "タナカ", "田中", "ja_JP"),
    ("Ito", "イトウ", "伊藤", "ja_JP"),
    ("Yamamoto", "ヤマモト", "山本", "ja_JP"),
    ("Nakamura", "ナカムラ", "中村", "ja_JP"),
    ("Kobayashi", "コバヤシ", "小林", "ja_JP"),
    ("Kato", "カトウ", "加藤", "ja_JP"),
    ("Yoshida", "ヨシダ", "吉田", "ja_JP"),
    ("Kim", "キム", "김", "ko_KR"),
    ("Park", "パク", "박", "ko_KR"),
    ("Lee", "イ", "이", "ko_KR"),
    ("Chen", "チェン", "陳", "zh_TW"),
    ("Wang", "ワン", "王", "zh_TW"),
    ("Lopez", "ロペス", "López", "en_US"),
    ("Novak", "ノヴァーク", "Nováková", "en_US"),
    ("O'Brien", "オブライエン", "Ó Briain", "en_US"),
)
FIRST_NAMES = (
    ("Mina", "ミナ", "美奈", "ja_JP"),
    ("Haruto", "ハルト", "陽翔", "ja_JP"),
    ("Yui", "ユイ", "結衣", "ja_JP"),
    ("Sota", "ソウタ", "颯太", "ja_JP"),
    ("Aoi", "アオイ", "葵", "ja_JP"),
    ("Ren", "レン", "蓮", "ja_JP"),
    ("Hana", "ハナ", "花", "ja_JP"),
    ("Jun", "ジュン", "준", "ko_KR"),
    ("Seo-yeon", "ソヨン", "서연", "ko_KR"),
    ("Wei", "ウェイ", "偉", "zh_TW"),
    ("Ana", "アナ", "Ana", "en_US"),
    ("Petra", "ペトラ", "Petra", "en_US"),
    ("Liam", "リアム", "Liam", "en_US"),
    ("Emi", "エミ", "恵美", "ja_JP"),
    ("Kenji", "ケンジ", "健二", "ja_JP"),
    ("Sakura", "サクラ", "桜", "ja_JP"),
)
ORG_UNITS = (
    ("ou-sales", "Sales", "sales"),
    ("ou-dev", "Development", "development"),
    ("ou-support", "Customer support", "support"),
    ("ou-people", "People and culture", "people"),
    ("ou-finance", "Finance", "finance"),
)
POSITIONS = (
    ("pos-lead", "Team lead"),
    ("pos-senior", "Senior"),
    ("pos-member", "Member"),
    ("pos-trainee", "Trainee"),
)
EMPLOYMENT_TYPES = (("et-1", "Employee"), ("et-2", "Part-time employee"))
USER_TYPES = (("ut-1", "Office worker", "OFFICE"), ("ut-2", "Field worker", "FIELD"))
LEVELS = (("lv-1", "Director"), ("lv-2", "Manager"), ("lv-3", "Staff"))
LOCALES = (
    ("ja_JP", "Asia/Tokyo"),
    ("ko_KR", "Asia/Seoul"),
    ("en_US", "America/New_York"),
    ("zh_TW", "Asia/Taipei"),
)
STATES = (
    ("suspended", 17, 1),
    ("pending", 97, 301),
    ("awaiting", 101, 301),
    ("deleted", 103, 301),
    ("locked", 107, 301),
    ("leave", 53, 301),
)
"""The states of sample users who are not simply active; the first that fits decides. With each: one user in how many is
in it, and the number of the first who can be, so that small samples stay simple."""
REASONS = ("MASTER", None, None, None, "LOGIN_FAIL", None, None)
"""Why a user of each state is suspended."""
LEAVE_STARTS = "2026-01-01T00:00:00+09:00"

WORKPLACES = ("Tokyo, 4th floor", "Osaka", "Seoul", "Home office", None)
TASKS = ("Accounts in the east", "Mobile client", "Night desk", "Hiring", "Month-end closing", None)
HIRED = tuple(str(year) for year in range(2008, 2026))
BORN = tuple(str(year) for year in range(1965, 2004))
DAYS = tuple(f"-{month:02d}-{day:02d}" for month in range(1, 13) for day in range(1, 29))
"""The days of a year on which sample users were hired or born."""
