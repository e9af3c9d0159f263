import { expect } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { type AxiosMember, axiosVisitor } from '#tests/sanctum.ts'
import { connectPusher, type PusherClient } from '#tests/sockets.ts'

/**
 * Returns an HTTP client that sends a member's requests to the server process at `url`. The member's cookies
 * are valid there too, because cookies ignore the port.
 */
export const memberAt = (who: AxiosMember, url: string) => {
  const call = async (method: string, path: string, data?: object) =>
    who.http.request({ method, url: url + path, ...(data && { data }) })
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, data: object = {}) => call('POST', path, data),
    put: (path: string, data: object = {}) => call('PUT', path, data),
    patch: (path: string, data: object = {}) => call('PATCH', path, data),
    delete: (path: string) => call('DELETE', path),
  }
}

export async function subscribeAt(
  who: AxiosMember,
  url: string,
  channel: string,
  authoriseAt = url,
  client?: PusherClient,
) {
  const socket = client ?? (await connectPusher(url))
  const { status, data } = await memberAt(who, authoriseAt).post('/my-broadcast-auth', {
    socket_id: socket.id,
    channel_name: channel,
  })
  expect(status, JSON.stringify(data)).toBe(200)
  socket.subscribe(channel, data)
  const welcome = await socket.nextMessage('pusher_internal:subscription_succeeded')
  return { ...socket, ids: (welcome.data.presence?.ids ?? []) as string[] }
}

export const chatChannel = (a: AxiosMember, b: AxiosMember) =>
  `private-chat.${Math.min(a.id, b.id)}.${Math.max(a.id, b.id)}`

export async function readyzStatus(url: string, expected = 200) {
  await eventually(async () => expect((await axiosVisitor(url).http.get('/readyz')).status).toBe(expected))
}
