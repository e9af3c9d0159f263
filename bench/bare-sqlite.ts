import { DatabaseSync } from 'node:sqlite'

// This program is the simplest one that writes to SQLite; the bench compares the server of Engawa with it. It
// uses the same journal mode, synchronous mode, foreign keys and cache size as the server, and commits each
// row that it receives in a transaction of its own.

export interface LikeAndMessageBenchRows {
  likes?: readonly { member: number; post: number }[]
  messages?: readonly { conversation: number; member: number; client_id: string; body: string }[]
}

const db = new DatabaseSync(process.argv[2]!)
db.exec(
  'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -32000',
)
const [begin, commit] = [db.prepare('begin immediate'), db.prepare('commit')]
const like = db.prepare('insert into likes (post_id, user_id, created_at) values (?, ?, ?)')
const count = db.prepare('update posts set likes_count = likes_count + 1 where id = ?')
const message = db.prepare(
  'insert into messages (conversation_id, user_id, client_id, body, created_at) values (?, ?, ?, ?, ?)',
)
const mark = db.prepare(
  'update conversation_members set last_read_id = ? where conversation_id = ? and user_id = ?',
)

function commitAll({ likes = [], messages = [] }: LikeAndMessageBenchRows) {
  for (const { member, post } of likes) {
    begin.run()
    like.run(post, member, new Date().toISOString())
    count.run(post)
    commit.run()
  }
  for (const { conversation, member, client_id, body } of messages) {
    begin.run()
    const { lastInsertRowid } = message.run(conversation, member, client_id, body, new Date().toISOString())
    mark.run(lastInsertRowid, conversation, member)
    commit.run()
  }
}

process.on('message', (rows: LikeAndMessageBenchRows) => {
  const start = performance.now()
  commitAll(rows)
  process.send!((performance.now() - start) / 1000)
})
process.send!('ready')
