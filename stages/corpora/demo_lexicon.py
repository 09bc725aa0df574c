"""The bilingual lexicon of the demo corpus: words only; how they combine is demo_grammar's business.

One entry a line, columns separated by `|`. In a Chinese or English cell, units stand in the same order on both sides,
separated by spaces; `+` joins the words of one unit; `/TAG` overrides a word's tag (see demo_phrase.units).
"""

from typing import NamedTuple


class Noun(NamedTuple):
    """`bare` says what a bare Chinese noun is in English: `the`, `many` (plural, no article) or `mass`."""

    zh: str
    singular: str
    plural: str
    measure: str
    bare: str


class Verb(NamedTuple):
    """An English verb in its forms; `particle` follows it ("meet with"). `passive`: an object may become subject."""

    zh: str
    base: str
    third: str
    past: str
    participle: str
    gerund: str
    particle: str
    passive: bool


class Country(NamedTuple):
    zh: str
    name: str
    adjective: str


class Frame(NamedTuple):
    """Who does it to what: `subject` and `obj` name kinds of noun phrases of the grammar, `oblique` a preposition."""

    verb: Verb
    subject: str
    obj: str
    oblique: str


class Collocation(NamedTuple):
    """A verb whose translation depends on its object."""

    verb: Verb
    subject: str
    zh: str
    en: str
    tag: str
    article: str


class Adjective(NamedTuple):
    zh: str
    en: str
    de: bool
    kinds: frozenset[str]


def _rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


_IRREGULAR_PLURALS = {"aircraft": "aircraft", "spokesman": "spokesmen"}
_IRREGULAR_VERBS = {
    "meet": ("met", "met"),
    "buy": ("bought", "bought"),
    "hold": ("held", "held"),
    "leave": ("left", "left"),
    "build": ("built", "built"),
    "make": ("made", "made"),
    "win": ("won", "won"),
    "fight": ("fought", "fought"),
    "drive": ("drove", "driven"),
    "take": ("took", "taken"),
    "pay": ("paid", "paid"),
    "say": ("said", "said"),
    "fall": ("fell", "fallen"),
    "rise": ("rose", "risen"),
    "grow": ("grew", "grown"),
    "give": ("gave", "given"),
    "send": ("sent", "sent"),
    "begin": ("began", "begun"),
    "sell": ("sold", "sold"),
}
_DOUBLING = frozenset({"ship", "plan", "win", "begin", "expel", "transfer"})


def pluralise(noun: str) -> str:
    """The plural of an English noun cell: that of its last word."""
    word = noun.replace("+", " ").split()[-1]
    stem = noun.removesuffix(word)
    if word in _IRREGULAR_PLURALS:
        return f"{stem}{_IRREGULAR_PLURALS[word]}/NNS"
    if word.endswith(("s", "x", "ch", "sh", "o")):
        return f"{stem}{word}es/NNS"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{stem}{word[:-1]}ies/NNS"
    return f"{stem}{word}s/NNS"


def conjugate(zh: str, english: str, passive: bool = True) -> Verb:
    """All forms of `english` ("meet with": only the first word is inflected)."""
    base, _, particle = english.partition(" ")
    if base.endswith(("s", "x", "ch", "sh", "o")):
        third = base + "es"
    elif base.endswith("y") and base[-2] not in "aeiou":
        third = base[:-1] + "ies"
    else:
        third = base + "s"
    stem = base + base[-1] if base in _DOUBLING else base
    if base in _IRREGULAR_VERBS:
        past, participle = _IRREGULAR_VERBS[base]
    elif base.endswith("e"):
        past = participle = base + "d"
    elif base.endswith("y") and base[-2] not in "aeiou":
        past = participle = base[:-1] + "ied"
    else:
        past = participle = stem + "ed"
    gerund = base[:-1] + "ing" if base.endswith("e") and not base.endswith("ee") else stem + "ing"
    return Verb(zh, base, third, past, participle, gerund, particle, passive)


def _nouns(table: str) -> tuple[Noun, ...]:
    return tuple(Noun(zh, english, pluralise(english), measure, bare) for zh, english, measure, bare in _rows(table))


COUNTRIES = tuple(
    Country(*row)
    for row in _rows("""
中国 | China | Chinese
美国 | the/DT+United+States/NNPS | US
法国 | France | French
德国 | Germany | German
英国 | Britain | British
俄罗斯 | Russia | Russian
日本 | Japan | Japanese
韩国 | South+Korea | South+Korean
印度 | India | Indian
巴西 | Brazil | Brazilian
埃及 | Egypt | Egyptian
加拿大 | Canada | Canadian
墨西哥 | Mexico | Mexican
澳大利亚 | Australia | Australian
意大利 | Italy | Italian
西班牙 | Spain | Spanish
南非 | South+Africa | South+African
泰国 | Thailand | Thai
越南 | Vietnam | Vietnamese
土耳其 | Turkey | Turkish
伊朗 | Iran | Iranian
巴基斯坦 | Pakistan | Pakistani
波兰 | Poland | Polish
荷兰 | the/DT+Netherlands | Dutch
瑞典 | Sweden | Swedish
肯尼亚 | Kenya | Kenyan
阿根廷 | Argentina | Argentine
智利 | Chile | Chilean
新加坡 | Singapore | Singaporean
菲律宾 | the/DT+Philippines | Philippine
新西兰 | New+Zealand | New+Zealand/NNP
乌克兰 | Ukraine | Ukrainian
""")
)

CITIES = tuple(
    tuple(row)
    for row in _rows("""
北京 | Beijing
上海 | Shanghai
广州 | Guangzhou
香港 | Hong+Kong
纽约 | New+York
华盛顿 | Washington
伦敦 | London
巴黎 | Paris
莫斯科 | Moscow
东京 | Tokyo
柏林 | Berlin
日内瓦 | Geneva
布鲁塞尔 | Brussels
曼谷 | Bangkok
开罗 | Cairo
维也纳 | Vienna
雅典 | Athens
罗马 | Rome
""")
)

REGIONS = tuple(
    tuple(row)
    for row in _rows("""
中东 | the/DT+Middle+East
亚洲 | Asia
非洲 | Africa
欧洲 | Europe
东南亚 | Southeast+Asia
拉丁美洲 | Latin+America
""")
)

# the English side never begins with the article: it is a possible link, added by the grammar
ORGANISATIONS = tuple(
    tuple(row)
    for row in _rows("""
联合国 | United+Nations/NNPS
欧盟 | European+Union
安理会 | Security+Council
世界/NN 银行/NN | World Bank
红十字会 | Red+Cross
世界/NN 卫生/NN 组织/NN | World Health Organization
世界/NN 贸易/NN 组织/NN | World Trade Organization
国际/NN 货币/NN 基金/NN+组织/NN | International Monetary Fund
非洲 联盟/NN | African Union
国际/NN 奥林匹克 委员会/NN | International Olympic Committee
""")
)

BODIES = tuple(
    tuple(row)
    for row in _rows("""
政府 | government/NN
议会 | parliament/NN
外交部 | Foreign+Ministry
国防部 | Defense+Ministry
财政部 | Finance+Ministry
教育部 | Education+Ministry
卫生部 | Health+Ministry
最高/JJ 法院 | Supreme Court
中央/JJ 银行 | central/JJ bank/NN
""")
)

# title before a name | title as a common noun
TITLES = tuple(
    tuple(row)
    for row in _rows("""
总统 | President | president
总理 | Prime+Minister | prime+minister
外交 部长 | Foreign Minister | foreign/JJ minister
国防 部长 | Defense Minister | defense minister
财政 部长 | Finance Minister | finance minister
贸易 部长 | Trade Minister | trade minister
教育 部长 | Education Minister | education minister
副/JJ 总统 | Vice President | vice president
大使 | Ambassador | ambassador
内政 部长 | Interior Minister | interior minister
农业 部长 | Agriculture Minister | agriculture minister
议长 | Speaker | speaker
参议员 | Senator | senator
""")
)

EXPERTS = _nouns("""
专家 | expert | 位 | many
科学家 | scientist | 位 | many
工程师 | engineer | 名 | many
研究+人员 | researcher | 名 | many
官员 | official | 名 | many
议员 | lawmaker | 位 | many
知识+分子 | intellectual | 名 | many
""")

STAFF = _nouns("""
工人 | worker | 名 | many
教师 | teacher | 名 | many
医生 | doctor | 名 | many
司机 | driver | 名 | many
护士 | nurse | 名 | many
飞行员 | pilot | 名 | many
消防+队员 | firefighter | 名 | many
售货员 | shop+assistant | 名 | many
""")

CIVILIANS = _nouns("""
农民 | farmer | 名 | many
学生 | student | 名 | many
士兵 | soldier | 名 | many
记者 | reporter | 名 | many
游客 | tourist | 名 | many
志愿者 | volunteer | 名 | many
运动员 | athlete | 名 | many
难民 | refugee | 名 | many
商人 | trader | 名 | many
作家 | writer | 名 | many
""")

PEOPLE = EXPERTS + STAFF + CIVILIANS

SUSPECTS = _nouns("""
恐怖+分子 | terrorist | 名 | many
嫌疑人 | suspect | 名 | many
毒贩 | drug+dealer | 名 | many
走私者 | smuggler | 名 | many
绑架者 | kidnapper | 名 | many
海盗 | pirate | 名 | many
黑客 | hacker | 名 | many
""")

FIRMS = _nouns("""
公司 | company | 家 | many
银行 | bank | 家 | many
工厂 | factory | 家 | many
企业 | enterprise | 家 | many
航空+公司 | airline | 家 | many
石油 公司 | oil company | 家 | many
电信 公司 | telecommunications company | 家 | many
汽车 厂 | car plant | 家 | many
""")

DOCUMENTS = _nouns("""
协议 | agreement | 项 | the
条约 | treaty | 项 | the
法律 | law | 项 | the
合同 | contract | 份 | the
计划 | plan | 项 | the
决议 | resolution | 项 | the
预算 | budget | 份 | the
法案 | bill | 项 | the
建议 | proposal | 项 | the
贸易 政策 | trade policy | 项 | the
和平 协议 | peace agreement | 项 | the
改革 方案 | reform program | 项 | the
谅解+备忘录 | memorandum | 份 | the
""")

REPORTS = _nouns("""
报告 | report | 份 | the
调查 结果 | survey result | 项 | many
声明 | statement | 份 | the
名单 | list | 份 | the
数据 | figure | 项 | many
""")

EVENTS = _nouns("""
会议 | meeting | 次 | the
研讨会 | seminar | 次 | the
展览会 | exhibition | 次 | the
峰会 | summit | 次 | the
选举 | election | 次 | the
音乐会 | concert | 场 | the
记者+招待会 | news+conference | 次 | the
军事 演习 | military/JJ exercise | 次 | the
比赛 | match | 场 | the
论坛 | forum | 次 | the
纪念 仪式 | memorial/JJ ceremony | 次 | the
""")

BUILDINGS = _nouns("""
学校 | school | 所 | the
医院 | hospital | 家 | the
大桥 | bridge | 座 | the
机场 | airport | 座 | the
高速+公路 | motorway | 条 | the
铁路 | railway | 条 | the
发电站 | power+station | 座 | the
图书馆 | library | 座 | the
博物馆 | museum | 座 | the
体育馆 | stadium | 座 | the
水库 | reservoir | 座 | the
隧道 | tunnel | 条 | the
港口 | port | 座 | the
炼油厂 | oil+refinery | 座 | the
核+电站 | nuclear/JJ+plant | 座 | the
""")

# weighed in tons
COMMODITIES = _nouns("""
大米 | rice | 吨 | mass
小麦 | wheat | 吨 | mass
钢铁 | steel | 吨 | mass
石油 | oil | 吨 | mass
煤炭 | coal | 吨 | mass
棉花 | cotton | 吨 | mass
玉米 | corn | 吨 | mass
糖 | sugar | 吨 | mass
咖啡 | coffee | 吨 | mass
茶叶 | tea | 吨 | mass
铜 | copper | 吨 | mass
木材 | timber | 吨 | mass
水泥 | cement | 吨 | mass
化肥 | fertilizer | 吨 | mass
天然气 | natural/JJ+gas | 吨 | mass
橡胶 | rubber | 吨 | mass
""")

MACHINES = _nouns("""
汽车 | car | 辆 | many
电脑 | computer | 台 | many
手机 | mobile/JJ+phone | 部 | many
飞机 | aircraft | 架 | many
电视机 | television+set | 台 | many
拖拉机 | tractor | 台 | many
卡车 | truck | 辆 | many
船 | ship | 艘 | many
公共+汽车 | bus | 辆 | many
救护车 | ambulance | 辆 | many
""")

# before 问题, which is "issue" when it is discussed, "problem" when it is solved and "question" when it is answered
TOPICS = tuple(
    tuple(row)
    for row in _rows("""
核 | nuclear/JJ
贸易 | trade
环境 | environmental/JJ
人权 | human/JJ+rights/NNS
能源 | energy
安全 | security
失业 | unemployment
毒品 | drug
边界 | border
难民 | refugee
粮食 | food
气候 | climate
债务 | debt
住房 | housing
""")
)

# English plural or singular | how it is measured
QUANTITIES = tuple(
    tuple(row)
    for row in _rows("""
出口 | exports/NNS | money
进口 | imports/NNS | money
对外/JJ 贸易 | foreign/JJ trade | money
出口+额 | export+volume | money
国防 预算 | defense budget | money
外汇+储备 | foreign/JJ+reserves/NNS | money
旅游 收入 | tourism income | money
税收 | tax+revenue | money
粮食 产量 | grain output | tons
石油 产量 | oil output | tons
钢铁 产量 | steel output | tons
工业 产值 | industrial/JJ output | money
人口 | population | people
""")
)

TRENDS = tuple(
    (conjugate(zh, en, passive=False), kind)
    for zh, en, kind in _rows("""
增长 | grow | up
上升 | rise | up
增加 | increase | up
下降 | fall | down
减少 | decrease | down
""")
)

ADJECTIVES = tuple(
    Adjective(zh, en, de == "的", frozenset(kinds.split()))
    for zh, en, de, kinds in _rows("""
新 | new | - | document report building firm machine event
重要 | important | - | document event report
外国/NN | foreign | - | firm people
国际/NN | international | - | event
大型 | large | - | firm building event machine
老 | old | - | building
旧 | used | - | machine
当地/NN | local | - | people firm
年轻 | young | 的 | people
有经验 | experienced | 的 | people
详细 | detailed | 的 | report document
昂贵 | expensive | 的 | building machine
著名 | famous | - | building
复杂 | complicated | 的 | document
先进 | advanced | 的 | machine
盈利 | profitable | 的 | firm
历史性 | historic | 的 | event document
年度 | annual | - | event report
临时 | temporary | - | building document
非法 | illegal | - | event building
""")
)

FRAMES = tuple(
    Frame(conjugate(zh, en, passive=passive == "yes"), subject, obj, oblique)
    for zh, en, passive, subject, obj, oblique in _rows("""
访问 | visit | yes | leader | place | -
会见 | meet with | no | leader | leader | -
批评 | criticize | yes | speaker | speaker | -
批评 | criticize | yes | speaker | document | -
支持 | support | yes | speaker | document | -
反对 | oppose | yes | speaker | document | -
欢迎 | welcome | yes | speaker | document | -
批准 | approve | yes | authority | document | -
否决 | veto | yes | authority | document | -
拒绝 | reject | yes | speaker | document | -
修改 | revise | yes | authority | document | -
签署 | sign | yes | authority | document | 与
签署 | sign | yes | leader | document | 与
讨论 | discuss | yes | leader | issue | 与
讨论 | discuss | yes | authority | issue | 与
研究 | study | yes | experts | issue | -
解决 | resolve | yes | authority | problem | -
回答 | answer | yes | leader | question | -
回避 | avoid | yes | leader | question | -
逮捕 | arrest | yes | police | suspects | -
审问 | question | yes | police | suspects | -
驱逐 | expel | yes | authority | suspects | -
建造 | build | yes | firm | building | 为
关闭 | close | yes | authority | building | -
检查 | inspect | yes | experts | building | -
购买 | buy | yes | trader | goods | 从
生产 | produce | yes | firm | goods | -
出口 | export | no | trader | goods | 向
进口 | import | yes | trader | goods | 从
提供 | provide | no | trader | goods | 向
销售 | sell | yes | firm | goods | 向
运送 | transport | yes | firm | goods | -
参加 | attend | yes | leader | event | -
参加 | attend | yes | people | event | -
主持 | chair | yes | leader | event | -
组织 | organize | yes | authority | event | 为
举行 | hold | yes | authority | event | 与
推迟 | postpone | yes | authority | event | -
取消 | cancel | yes | authority | event | -
抵制 | boycott | yes | people | event | -
袭击 | attack | yes | suspects | building | -
占领 | occupy | yes | suspects | building | -
公布 | release | yes | authority | report | -
起草 | draft | yes | experts | document | 为
采访 | interview | yes | people | leader | -
赞扬 | praise | yes | leader | people | -
培训 | train | yes | authority | staff | 为
雇用 | hire | yes | firm | staff | -
解雇 | dismiss | yes | firm | staff | -
抵达 | arrive in | no | leader | place | -
离开 | leave | no | leader | place | -
""")
)

COLLOCATIONS = tuple(
    Collocation(conjugate(verb_zh, verb_en), subject, zh, en, tag, article)
    for verb_zh, verb_en, subject, zh, en, tag, article in _rows("""
发表 | deliver | leader | 讲话 | speech | NN | a
发表 | issue | authority | 声明 | statement | NN | a
发表 | publish | experts | 文章 | article | NN | a
打 | make | leader | 电话 | phone+call | NN | a
打 | fight | authority | 仗 | war | NN | a
开 | drive | staff | 卡车 | truck | NN | a
开 | open | firm | 商店 | shop | NN | a
开 | hold | authority | 会 | meeting | NN | a
取得 | make | authority | 进展 | progress | NN | -
取得 | win | people | 胜利 | victory | NN | a
取得 | achieve | firm | 成果 | results | NNS | -
采取 | take | authority | 措施 | measures | NNS | -
采取 | take | authority | 行动 | action | NN | -
提高 | raise | firm | 价格 | prices | NNS | -
提高 | raise | authority | 工资 | wages | NNS | -
提高 | improve | firm | 质量 | quality | NN | -
提高 | improve | staff | 效率 | efficiency | NN | -
提出 | make | authority | 建议 | proposal | NN | a
提出 | raise | experts | 问题 | questions | NNS | -
提出 | lodge | authority | 抗议 | protest | NN | a
进行 | conduct | authority | 调查 | investigation | NN | an
进行 | carry out | authority | 改革 | reforms | NNS | -
进行 | hold | leader | 谈判 | negotiations | NNS | -
作出 | make | leader | 决定 | decision | NN | a
作出 | make | experts | 贡献 | contributions | NNS | -
作出 | give | firm | 承诺 | pledge | NN | a
""")
)

# the verb that follows is an infinitive in English; tense of the matrix verb
INFINITIVES = tuple(
    (conjugate(zh, en, passive=False), tense)
    for zh, en, tense in _rows("""
决定 | decide | bare_past
同意 | agree | bare_past
承诺 | promise | bare_past
拒绝 | refuse | bare_past
希望 | hope | present
打算 | intend | present
准备 | prepare | progressive
计划 | plan | present
""")
)

CONTROLS = tuple(
    conjugate(zh, en, passive=False)
    for zh, en in _rows("""
要求 | ask
呼吁 | urge
敦促 | press
允许 | allow
帮助 | help
鼓励 | encourage
""")
)

# verb of saying | in the second reference | tense
SAYINGS = tuple(
    (conjugate(zh, en, passive=False), conjugate(zh, other, passive=False), tense)
    for zh, en, other, tense in _rows("""
说 | say | state | bare_past
说 | say | state | bare_past
表示 | state | say | bare_past
指出 | point out | note | bare_past
强调 | stress | emphasize | bare_past
透露 | reveal | disclose | bare_past
警告 | warn | caution | bare_past
宣布 | announce | declare | bare_past
认为 | believe | think | present
相信 | believe | think | present
""")
)

# 把 object oblique verb: verb | English verb | object kind | oblique preposition | English preposition | oblique kind
DISPOSALS = tuple(
    (conjugate(zh, en), subject, obj, to_zh, to_en, place)
    for zh, en, subject, obj, to_zh, to_en, place in _rows("""
送 | take | people | suspects | 到 | to | place
交 | hand | leader | report | 给 | to | authority
运 | ship | firm | goods | 到 | to | place
派 | send | authority | people | 到 | to | place
卖 | sell | firm | building | 给 | to | firm
转移 | transfer | firm | machines | 到 | to | place
""")
)

AGENCIES = tuple(
    tuple(row)
    for row in _rows("""
新华社 | Xinhua
路透社 | Reuters
法新社 | Agence+France-Presse
《人民日报》 | the/DT+People+'s/POS+Daily
""")
)

# a job, in a firm or an organisation | the preposition before the employer
FIRM_ROLES = tuple(
    tuple(row)
    for row in _rows("""
经理 | manager | of
董事长 | chairman | of
顾问 | adviser | to
发言人 | spokesman | for
总工程师 | chief/JJ+engineer | of
""")
)

ORGANISATION_ROLES = tuple(
    tuple(row)
    for row in _rows("""
主席 | chairman | of
顾问 | adviser | to
发言人 | spokesman | for
特使 | special/JJ+envoy | of
秘书长 | secretary-general | of
""")
)

PARTNERS = tuple(
    tuple(row)
    for row in _rows("""
贸易 伙伴 | trading partner
石油 供应国 | oil supplier
出口 市场 | export market
债权国 | creditor
投资国 | investor
合作 伙伴 | cooperation partner
""")
)

# in English the preposition that 对 becomes depends on the feeling | towards what
REACTIONS = tuple(
    (zh, en, preposition, tuple(kinds.split()))
    for zh, en, preposition, kinds in _rows("""
关切 | concern | about | issue document
不满 | dissatisfaction | with | document report
遗憾 | regret | over | document
赞赏 | appreciation | for | document report
支持 | support | for | document
怀疑 | doubts/NNS | about | document report
担忧 | anxiety | over | issue
""")
)

# what begins or ends without anybody's doing
HAPPENINGS = tuple(
    (conjugate(zh, en, passive=False), tense)
    for zh, en, tense in _rows("""
开始 | begin | bare_past
结束 | end | bare_past
开幕 | open | bare_past
失败 | fail | past
""")
)

# predicates of their own, without a verb in Chinese | of what
STATES = tuple(
    (zh, en, tuple(kinds.split()))
    for zh, en, kinds in _rows("""
重要 | important | document event issue report
复杂 | complicated | issue document
成功 | successful | event
及时 | timely | report
昂贵 | expensive | building
先进 | advanced | machines
严重 | serious | issue
危险 | dangerous | suspects
""")
)

DISASTERS = tuple(
    tuple(row)
    for row in _rows("""
火灾 | fire | 场
风暴 | storm | 场
洪水 | flood | 场
爆炸 | explosion | 起
雪崩 | avalanche | 场
""")
)

SURNAMES = dict(
    _rows("""
王 | Wang
李 | Li
张 | Zhang
刘 | Liu
陈 | Chen
杨 | Yang
赵 | Zhao
黄 | Huang
周 | Zhou
吴 | Wu
""")
)

GIVEN = dict(
    _rows("""
明 | ming
华 | hua
伟 | wei
强 | qiang
军 | jun
平 | ping
国 | guo
建 | jian
志 | zhi
文 | wen
海 | hai
东 | dong
春 | chun
玉 | yu
林 | lin
峰 | feng
永 | yong
成 | cheng
红 | hong
丽 | li
""")
)

SYLLABLES = dict(
    _rows("""
巴 | ba
贝 | be
比 | bi
博 | bo
布 | bu
达 | da
德 | de
迪 | di
多 | do
杜 | du
法 | fa
费 | fe
菲 | fi
戈 | go
古 | gu
哈 | ha
赫 | he
霍 | ho
卡 | ka
基 | ki
科 | ko
库 | ku
拉 | la
莱 | le
利 | li
洛 | lo
卢 | lu
马 | ma
梅 | me
米 | mi
莫 | mo
穆 | mu
纳 | na
内 | ne
尼 | ni
诺 | no
帕 | pa
佩 | pe
皮 | pi
波 | po
萨 | sa
塞 | se
西 | si
索 | so
苏 | su
塔 | ta
特 | te
蒂 | ti
托 | to
图 | tu
瓦 | va
维 | vi
沃 | vo
扎 | za
佐 | zo
""")
)

ENDINGS = {"斯": "s", "恩": "n", "夫": "v", "尔": "r", "姆": "m"}

# people who are in the news again and again; written with SYLLABLES and ENDINGS
FAMILIAR_NAMES = (
    "卡洛斯",
    "莫塔夫",
    "贝利恩",
    "拉米尔",
    "托马索",
    "萨维拉",
    "尼古拉",
    "德布尔",
    "哈卡姆",
    "索拉诺",
    "帕维尔",
)
