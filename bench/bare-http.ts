import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// node:http alone. It answers with the given body, as a string, or under /buffer with the same bytes in a
// Buffer.

export interface Answer {
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
process.on('message', ({ status, headers, body }: Answer) => {
  const bytes = Buffer.from(body)
  answer = { status, headers, text: bytes.toString(), body: bytes }
  process.send!('ready')
})
