import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { WebSocketServer } from 'ws'
import { bareWrites, type Kind, type Row, type Run } from './write-kinds.ts'

// The simplest programs that do a part of what Engawa does, and nothing else. Engawa is measured beside them.

/** The answer that the simplest servers repeat. */
export interface Fixed {
  headers: [string, string][]
  body: Buffer
}

/** As many connections as Engawa has. */
const connections = 10
const [name, database = ''] = process.argv.slice(2)
const isPostgres = database.startsWith('postgres')

const programs: Record<string, () => unknown> = {
  http: () => {
    let headers: string[] = []
    let text = ''
    listen(() => ({ headers, text }))
    process.on('message', (fixed: Fixed) => {
      headers = fixed.headers.flat()
      text = Buffer.from(fixed.body).toString()
      process.send!('ready')
    })
  },
  /** Reads the body of each answer from one row. */
  postgres: async () => {
    const pool = new pg.Pool({ connectionString: database, max: connections })
    await pool.query('create table bench_body (body text)')
    let headers: string[] = []
    listen(async () => ({ headers, text: (await pool.query('select body from bench_body')).rows[0].body }))
    process.on('message', async (fixed: Fixed) => {
      headers = fixed.headers.flat()
      await pool.query('delete from bench_body')
      await pool.query('insert into bench_body values ($1)', [Buffer.from(fixed.body).toString()])
      process.send!('ready')
    })
  },
  /** Commits each row in a transaction of its own. */
  writes: () => {
    const write = isPostgres ? postgresWriter() : sqliteWriter()
    process.on('message', async ({ kind, rows }: { kind: Kind; rows: Row[] }) => {
      const start = performance.now()
      await write(rows, bareWrites[kind] as (run: Run, row: Row) => Promise<unknown>)
      process.send!((performance.now() - start) / 1000)
    })
    process.send!('ready')
  },
  /** Sends each message to all other sockets, in a loop. */
  sockets: () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
    server.on('listening', () => process.send!((server.address() as AddressInfo).port))
    server.on('connection', (socket, { url }) => {
      if (url !== '/publish') return
      socket.on('message', (data) => {
        const text = String(data)
        for (const other of server.clients) if (other !== socket) other.send(text)
      })
    })
  },
}
await programs[name!]!()

type Answer = { headers: string[]; text: string }
function listen(answer: () => Answer | Promise<Answer>) {
  const server = createServer(async (_, response) => {
    const found = answer()
    const { headers, text } = found instanceof Promise ? await found : found
    response.writeHead(200, headers)
    response.end(text)
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}

type WriteAll = (rows: Row[], write: (run: Run, row: Row) => Promise<unknown>) => Promise<unknown>

/** With the settings of the server: journal, synchronous mode, foreign keys and cache. */
function sqliteWriter(): WriteAll {
  const db = new DatabaseSync(database)
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -32000',
  )
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const run: Run = async (sql, ...values) => {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement.get(...values) as { id: number }
  }
  return async (rows, write) => {
    for (const row of rows) {
      await run('begin immediate')
      await write(run, row)
      await run('commit')
    }
  }
}

function postgresWriter(): WriteAll {
  const pool = new pg.Pool({ connectionString: database, max: connections })
  return (rows, write) =>
    Promise.all(
      Array.from({ length: connections }, async () => {
        const client = await pool.connect()
        const run: Run = async (sql, ...values) => {
          let n = 0
          return (
            await client.query(
              sql.replace(/\?/g, () => `$${++n}`),
              values,
            )
          ).rows[0]
        }
        for (let row = rows.pop(); row; row = rows.pop()) {
          await run('begin')
          await write(run, row)
          await run('commit')
        }
        client.release()
      }),
    )
}
