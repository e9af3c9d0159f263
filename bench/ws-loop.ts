import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

// This program is the simplest server that sends each message to all sockets, with the package `ws` and a
// loop over its sockets. The bench compares Engawa with it.

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
server.on('listening', () => process.send!((server.address() as AddressInfo).port))
server.on('connection', (socket, { url }) => {
  if (url !== '/publish') return
  socket.on('message', (data) => {
    const text = String(data)
    for (const other of server.clients) if (other !== socket) other.send(text)
  })
})
