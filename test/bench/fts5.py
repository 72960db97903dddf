# SQLite FTS5 for the search benchmark, in the SQLite that Python brings: native code, and nothing to
# install. Reads {documents, queries, folder} as JSON, writes what each query found and how long it took.

import json
import os
import re
import sqlite3
import sys
import time

given = json.load(sys.stdin)
path = os.path.join(given["folder"], "fts5.db")
if os.path.exists(path):
    os.remove(path)
db = sqlite3.connect(path)
db.execute("create virtual table t using fts5(title, headings, body, tokenize='unicode61', content='')")
for n, (title, headings, body) in enumerate(given["documents"]):
    db.execute("insert into t(rowid, title, headings, body) values (?, ?, ?, ?)", (n + 1, title, headings, body))
db.execute("insert into t(t) values ('optimize')")
db.commit()
db.execute("vacuum")
SQL = "select rowid from t where t match ? order by bm25(t, 64, 8, 1) limit 10"
found, times = [], []
for turn in range(given["turns"]):
    for n, query in enumerate(given["queries"]):
        words = re.findall(r"[^\W_]+", query.lower())
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        start = time.perf_counter()
        rows = db.execute(SQL, (match,)).fetchall()
        times.append((time.perf_counter() - start) * 1000)
        if turn == 0:
            found.append([row - 1 for (row,) in rows])
print(json.dumps({"found": found, "times": times, "bytes": os.path.getsize(path), "version": sqlite3.sqlite_version}))
