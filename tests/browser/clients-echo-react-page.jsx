import { configureEcho, useConnectionStatus, useEcho, useEchoPresence } from '@laravel/echo-react'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

// A page on another origin than the server's. It uses Laravel Echo as the documentation of Laravel Echo
// shows. Its URL names the server and the channel: ?server=http://127.0.0.1:3000&pair=chat.1.2

const query = new URLSearchParams(location.search)
const server = new URL(query.get('server'))

configureEcho({
  broadcaster: 'reverb',
  key: 'engawa',
  wsHost: server.hostname,
  wsPort: Number(server.port),
  forceTLS: false,
  enabledTransports: ['ws'],
  authorizer: ({ name }) => ({
    authorize: (socketId, done) =>
      signSubscription(name, socketId).then(
        (signed) => done(null, signed),
        (error) => done(error, null),
      ),
  }),
})

/**
 * Requests the signature of a subscription. Cookies belong to a host, whatever its port, so this page can
 * read the anti-forgery token and send the session cookie of the server.
 */
async function signSubscription(channel_name, socket_id) {
  const token = /XSRF-TOKEN=([^;]*)/.exec(document.cookie)[1]
  const answer = await fetch(new URL('/broadcasting/auth', server), {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(token) },
    body: JSON.stringify({ channel_name, socket_id }),
  })
  if (!answer.ok) throw new Error(`Status ${answer.status}`)
  return answer.json()
}

function Messages() {
  const [messages, setMessages] = useState([])
  useEcho(query.get('pair'), '.PrivateMessageSent', ({ message }) =>
    setMessages((earlier) => [...earlier, message]),
  )
  return (
    <ul id="messages">
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  )
}

function Members() {
  const [names, setNames] = useState([])
  const [wave, setWave] = useState('')
  const { channel } = useEchoPresence('here', '.client-wave', ({ from }) => setWave(from))
  useEffect(() => {
    channel()
      .here((all) => setNames(all.map(({ name }) => name)))
      .joining(({ name }) => setNames((others) => [...others, name]))
      .leaving(({ name }) => setNames((others) => others.filter((other) => other !== name)))
  }, [channel])
  return (
    <>
      <p id="members">{names.toSorted().join(', ')}</p>
      <p id="wave">{wave}</p>
      <button type="button" onClick={() => channel().whisper('wave', { from: query.get('name') })}>
        Wave
      </button>
    </>
  )
}

function App() {
  return (
    <>
      <p id="status">{useConnectionStatus()}</p>
      <Messages />
      <Members />
    </>
  )
}

createRoot(document.querySelector('main')).render(<App />)
