import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// node:http alone: answers what it was told to, as a string, or under /buffer as the same bytes that are ready.

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
