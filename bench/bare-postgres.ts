import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { FixedBareHttpResponse } from './bare-http.ts'

// This program is the simplest server that queries PostgreSQL, with node:http and pg; the bench compares
// Engawa with it. It reads the body of each response from one row, with as many connections as Engawa has.
// The bench sends the response to this process.

const pool = new pg.Pool({ connectionString: process.argv[2]!, max: 10 })
await pool.query('create table bench_body (body text)')
let headers: string[] = []
const server = createServer(async (_, response) => {
  const { rows } = await pool.query('select body from bench_body')
  response.writeHead(200, headers)
  response.end(rows[0].body)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('message', async (response: FixedBareHttpResponse) => {
  headers = response.headers.flat()
  await pool.query('delete from bench_body')
  await pool.query('insert into bench_body values ($1)', [Buffer.from(response.body).toString()])
  process.send!('ready')
})
