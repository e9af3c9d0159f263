import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// This program is the simplest HTTP server, with which the bench compares Engawa. It uses node:http only, and
// answers each request with the last response that the bench has sent to this process: with the body as a
// string, or under /buffer with the same bytes as a Buffer.

export interface FixedBareHttpResponse {
  status: number
  headers: [string, string][]
  body: Buffer
}

let answer = { status: 200, headers: [] as [string, string][], text: '', body: Buffer.alloc(0) }
const server = createServer((request, response) => {
  response.writeHead(answer.status, answer.headers.flat())
  response.end(request.url === '/buffer' ? answer.body : answer.text)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('message', ({ status, headers, body }: FixedBareHttpResponse) => {
  const bytes = Buffer.from(body)
  answer = { status, headers, text: bytes.toString(), body: bytes }
  process.send!('ready')
})
