import pg from 'pg'
import type { PostgresWriteBenchKind, PostgresWriteBenchRowsByKind } from './postgres-writes.ts'

// This program is the simplest one that writes to PostgreSQL; the bench compares the server of Engawa with
// it. It commits each row that it receives in a transaction of its own, with as many connections as Engawa
// has, and waits for the answer to each statement.

const CONNECTIONS = 10
const pool = new pg.Pool({ connectionString: process.argv[2]!, max: CONNECTIONS })
const now = () => new Date().toISOString()

type Writers = {
  [K in PostgresWriteBenchKind]: (
    client: pg.PoolClient,
    row: PostgresWriteBenchRowsByKind[K],
  ) => Promise<unknown>
}

async function writeMessage(
  client: pg.PoolClient,
  { member, conversation, client_id, body }: PostgresWriteBenchRowsByKind['groupMessages'],
) {
  const { rows } = await client.query(
    `insert into messages (conversation_id, user_id, client_id, body, created_at)
     values ($1, $2, $3, $4, $5) returning id`,
    [conversation, member, client_id, body, now()],
  )
  await client.query(
    'update conversation_members set last_read_id = $1 where conversation_id = $2 and user_id = $3',
    [rows[0].id, conversation, member],
  )
}

const writers: Writers = {
  likes: async (client, { member, post }) => {
    const values = [post, member, now()]
    await client.query('insert into likes (post_id, user_id, created_at) values ($1, $2, $3)', values)
    await client.query('update posts set likes_count = likes_count + 1 where id = $1', [post])
  },
  posts: (client, { member, client_id, body }) =>
    client.query('insert into posts (user_id, client_id, body, created_at) values ($1, $2, $3, $4)', [
      member,
      client_id,
      body,
      now(),
    ]),
  privateMessages: writeMessage,
  groupMessages: writeMessage,
  follows: (client, { member, other }) =>
    client.query('insert into follows (follower_id, followed_id, created_at) values ($1, $2, $3)', [
      member,
      other,
      now(),
    ]),
}

async function writeAll<K extends PostgresWriteBenchKind>({
  kind,
  rows,
}: {
  kind: K
  rows: PostgresWriteBenchRowsByKind[K][]
}) {
  const write: Writers[K] = writers[kind]
  const work = async () => {
    const client = await pool.connect()
    for (let row = rows.pop(); row; row = rows.pop()) {
      await client.query('begin')
      await write(client, row)
      await client.query('commit')
    }
    client.release()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

process.on('message', async (message: Parameters<typeof writeAll>[0]) => {
  const start = performance.now()
  await writeAll(message)
  process.send!((performance.now() - start) / 1000)
})
process.send!('ready')
