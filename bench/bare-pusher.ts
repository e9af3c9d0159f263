import { createHmac, randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

// This program is the simplest server with which clients of the Pusher protocol can subscribe, with node:http
// and ws. It signs and accepts every subscription, and knows no members, sessions, databases or limits. The
// bench compares with it how fast all clients connect again to Engawa after a restart.

const SECRET = 'the secret of this server alone'

function sign(socketId: string, channelName: string) {
  const user_id = channelName.split('.')[1] ?? '1'
  const channel_data = JSON.stringify({ user_id, user_info: { id: Number(user_id), name: 'Member' } })
  const hmac = createHmac('sha256', SECRET).update(`${socketId}:${channelName}:${channel_data}`)
  return { auth: `engawa:${hmac.digest('hex')}`, channel_data }
}

const http = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    const { socket_id, channel_name } = JSON.parse(body) as { socket_id: string; channel_name: string[] }
    const answer = JSON.stringify(channel_name.map((name) => sign(socket_id, name)))
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    })
    response.end(answer)
  })
})
const webSockets = new WebSocketServer({ server: http, perMessageDeflate: false })
webSockets.on('connection', (socket) => {
  const send = (event: string, data: object, channel?: string) =>
    socket.send(JSON.stringify({ channel, event, data: JSON.stringify(data) }))
  socket.on('message', (text) => {
    const { channel, channel_data } = JSON.parse(String(text)).data
    const ids = channel_data ? [JSON.parse(channel_data).user_id] : []
    send(
      'pusher_internal:subscription_succeeded',
      { presence: { ids, hash: {}, count: ids.length } },
      channel,
    )
  })
  const socket_id = `${randomInt(1e9)}.${randomInt(1e9)}`
  send('pusher:connection_established', { socket_id, activity_timeout: 30 })
})
http.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send!((http.address() as AddressInfo).port),
)
