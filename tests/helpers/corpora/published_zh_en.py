"""The files of the Chinese-English publications as their publishers have them, tiny, and a mirror of tiny texts."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from stages.corpora import mix
from stages.corpora.download import Publication
from stages.files.text import write_lines


def sgm(kind: str, translators: Mapping[str, Mapping[str, list[str]]]) -> str:
    """A file of NIST's SGML, as TVsub has it; translators: `sysid` -> document -> segments."""
    documents = [
        f'<DOC docid="{document}" sysid="{system}">\n'
        + "".join(f"<p>\n<seg id={k}> {segment}</seg>\n</p>\n" for k, segment in enumerate(segments, 1))
        + "</DOC>\n"
        for system, of in translators.items()
        for document, segments in of.items()
    ]
    return f'<{kind} setid="tiny" srclang="Chinese" trglang="English">\n{"".join(documents)}</{kind}>\n'


TVSUB = {
    "tvsub-1/data/orignal/train/separated/2.en": "Second.\n",
    "tvsub-1/data/orignal/train/separated/2.zh": "第二 \n",
    "tvsub-1/data/orignal/train/separated/10.en": "Tenth.\n",
    "tvsub-1/data/orignal/train/separated/10.zh": "第十\x1f集\n",
    "tvsub-1/data/orignal/train/separated/10.np.tk.qb.es.zh": "第十 集\n",
    "tvsub-1/data/orignal/dev/dev.orignal.zh": "好\n是吗? \n",
    "tvsub-1/data/orignal/test/test.orignal.zh": "谢谢\n",
    "tvsub-1/data/processed/dev/dev_trg.sgm": sgm("refset", {"E01": {"A": ["okay ."], "B": ["it &apos;s so ?"]}}),
    "tvsub-1/data/processed/test/test_trg.sgm": sgm(
        "refset", {f"reference_{k}": {"A": [f"thanks , {k} ."]} for k in (1, 2, 3)}
    ),
}
JSONL = "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in ({"en": "One.", "zh": "一。", "index": 0},))
PUBLISHED = {
    "3am": {"train.en": "A  dog.\t\nTwo\x1edogs.\n"},
    "newstest": {"newstest2018.zh": "上周。\n"},
    "news_commentary": {"train_10k.jsonl": JSONL},
    "tatoeba": {"cmn.txt": "\ufeffHi.\t嗨。\tCC-BY 2.0 (France) A\nRun!\t跑！\tCC-BY 2.0 (France) B\n"},
    "tsinghua": {
        "zhen.src-tgt": "一  只 狗 ||| a dog \n走 ||| go\n",
        "zhen.gold": "3-2 1-1 2p1\n1-1\n",
    },
}


def mirror(folder: Path, texts: Mapping[str, Mapping[str, list[str]]]) -> dict[str, Publication]:
    """Write `texts`, corpus -> file -> lines, where a mirror has them, and return the publications that they are."""
    publications = {}
    for corpus, files in texts.items():
        publication = mix.PUBLICATIONS[corpus]
        for name, lines in files.items():
            write_lines(folder / publication.folder / name, lines)
        hashes = {name: hashlib.sha256((folder / publication.folder / name).read_bytes()).hexdigest() for name in files}
        publications[corpus] = replace(publication, sha256=hashes)
    return publications
