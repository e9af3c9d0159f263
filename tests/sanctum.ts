import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axios, { type AxiosInstance, type AxiosResponse } from 'axios'
import { wrapper } from 'axios-cookiejar-support'
import sharp from 'sharp'
import { type Cookie, CookieJar } from 'tough-cookie'
import { afterAll, expect, vi } from 'vitest'
import { endAll } from '#tests/server.ts'

// Starts of a process are slow where the machine is busy with others.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
afterAll(endAll)

/** A client as the documentation of Laravel Sanctum sets it up; it knows the server by its address alone. */
export function visitor(url: string) {
  const jar = new CookieJar()
  const http: AxiosInstance = wrapper(
    axios.create({
      baseURL: url,
      jar,
      withCredentials: true,
      withXSRFToken: true,
      xsrfCookieName: 'XSRF-TOKEN',
      xsrfHeaderName: 'X-XSRF-TOKEN',
      headers: { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
      validateStatus: () => true,
      maxRedirects: 0,
    }),
  )
  const cookies = () => jar.getCookiesSync(url)
  const token = () => cookies().find(({ key, httpOnly }) => key === 'XSRF-TOKEN' && !httpOnly)
  // In a browser axios does this by itself, from document.cookie; outside of one there is none.
  http.interceptors.request.use((config) => {
    const cookie = token()
    if (cookie && !config.headers.has(config.xsrfHeaderName!))
      config.headers.set(config.xsrfHeaderName!, decodeURIComponent(cookie.value))
    return config
  })
  http.interceptors.response.use((response) => {
    expectNoLeak(response)
    return response
  })
  return {
    url,
    jar,
    http,
    csrf: () => http.get('/sanctum/csrf-cookie'),
    /** The session cookie is the one that scripts cannot read. */
    session: (): Cookie | undefined => cookies().find(({ httpOnly }) => httpOnly),
    token,
    cookieHeader: () => jar.getCookieStringSync(url),
    async logIn(email: string, password = PASSWORD) {
      await http.get('/sanctum/csrf-cookie')
      return http.post('/login', { email, password })
    },
  }
}

export const PASSWORD = 'correct horse battery'
let accounts = 0

/** Somebody who has registered, and so is logged in. */
export async function member(url: string, name: string, more: object = {}) {
  const client = visitor(url)
  await client.csrf()
  const email = `someone${++accounts}@engawa.example`
  const answer = await client.http.post('/api/register', {
    name,
    email,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    ...more,
  })
  expect(answer.status, JSON.stringify(answer.data)).toBe(200)
  return { ...client, id: answer.data.user.id as number, name, email }
}
export type Member = Awaited<ReturnType<typeof member>>

// ── What answers look like ──────────────────────────────────────────────────

export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** No answer but a success may be without the one shape of errors, and none may tell of the inside. */
function expectNoLeak({ status, data, config }: AxiosResponse) {
  if (status < 400 || config.method === 'head') return
  const what = `${config.method} ${config.url} ${status}`
  const text =
    typeof data === 'string'
      ? data
      : data instanceof ArrayBuffer || Buffer.isBuffer(data)
        ? Buffer.from(data as Buffer).toString()
        : JSON.stringify(data)
  expect(text, what).not.toMatch(
    /node_modules|node:internal|\.ts\b|\bat \S+ \(|sqlite|select |insert |constraint|FST_|Error:|\/tmp\/|\/work\//i,
  )
}

/** A 422 in its one shape: the message is the first error, every field has its list. */
export function expectInvalid({ status, data }: AxiosResponse, ...fields: string[]) {
  expect(status, JSON.stringify(data)).toBe(422)
  expect(Object.keys(data).sort()).toEqual(['errors', 'message'])
  for (const list of Object.values(data.errors))
    expect(list).toEqual(expect.arrayContaining([expect.stringMatching(/\S/)]))
  expect(data.message).toBe((Object.values(data.errors) as string[][])[0]![0])
  if (fields.length) expect(Object.keys(data.errors).sort()).toEqual([...fields].sort())
}

/** An error that is no 422: a sentence, and nothing but it. */
export function expectRefused({ status, data, headers }: AxiosResponse, expected: number) {
  expect(status, JSON.stringify(data)).toBe(expected)
  expect(String(headers['content-type'])).toMatch(/^application\/json/)
  expect(data).toEqual({ message: expect.stringMatching(/\S/) })
}
export function expectVisitor({ status, data }: AxiosResponse) {
  expect(status).toBe(401)
  expect(data).toEqual({ message: 'Unauthenticated.' })
}

/** The address that a Link header leads on to, or null on the last page. */
export function nextOf({ headers, config, request }: AxiosResponse) {
  const match = /<([^>]+)>\s*;\s*rel="?next"?/.exec(String(headers.link ?? ''))
  return match ? new URL(match[1]!, new URL(request?.path ?? config.url, config.baseURL)).href : null
}

/** All pages of a list, from the first address on. */
export async function allPages<Row>(http: AxiosInstance, first: string) {
  const pages: Row[][] = []
  for (let address: string | null = first; address; ) {
    const answer: AxiosResponse<Row[]> = await http.get(address)
    expect(answer.status).toBe(200)
    pages.push(answer.data)
    expect(pages.length, 'the Link header leads in a circle').toBeLessThan(1000)
    address = nextOf(answer)
  }
  return pages
}

// ── Pictures and forms ──────────────────────────────────────────────────────

export type Kind = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

export const picture = (width: number, height: number, kind: Kind = 'png', background = '#28634f') =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(kind)
    .toBuffer()

export const file = (bytes: Buffer | string, name: string, type = 'application/octet-stream') =>
  new File([bytes as unknown as BlobPart], name, { type })

/** `{ text: 'Hello', 'images[]': [file, file] }` as multipart/form-data. */
export function form(fields: Record<string, string | File | readonly File[]>) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat() as (string | File)[]) data.append(name, one)
  return data
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
