import { expect, vi } from 'vitest'
import { type member, visitor } from '#tests/sanctum.ts'
import { type Client, connect } from '#tests/sockets.ts'

export type Somebody = Awaited<ReturnType<typeof member>>

/** Calls of a person at another process: cookies are sent to all ports of a host. */
export const at = (who: Somebody, url: string) => {
  const call = async (method: string, path: string, data?: object) =>
    who.http.request({ method, url: url + path, ...(data && { data }) })
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, data: object = {}) => call('POST', path, data),
    put: (path: string, data: object = {}) => call('PUT', path, data),
    delete: (path: string) => call('DELETE', path),
  }
}

export async function enter(who: Somebody, url: string, channel: string, authoriseAt = url, client?: Client) {
  const socket = client ?? (await connect(url))
  const { status, data } = await at(who, authoriseAt).post('/my-broadcast-auth', {
    socket_id: socket.id,
    channel_name: channel,
  })
  expect(status, JSON.stringify(data)).toBe(200)
  socket.subscribe(channel, data)
  const welcome = await socket.take('pusher_internal:subscription_succeeded')
  return { ...socket, ids: (welcome.data.presence?.ids ?? []) as string[] }
}

export const pair = (a: Somebody, b: Somebody) =>
  `private-chat.${Math.min(a.id, b.id)}.${Math.max(a.id, b.id)}`

export async function ready(url: string, expected = 200) {
  await vi.waitFor(async () => expect((await visitor(url).http.get('/readyz')).status).toBe(expected), {
    timeout: 40_000,
    interval: 100,
  })
}
