import axios, { type AxiosInstance, type AxiosResponse } from 'axios'
import { wrapper } from 'axios-cookiejar-support'
import sharp from 'sharp'
import { type Cookie, CookieJar } from 'tough-cookie'
import { expect } from 'vitest'

/**
 * Creates an axios client of a visitor, as the documentation of Laravel Sanctum describes it. The client
 * expects that no error response contains internal details.
 */
export function axiosVisitor(url: string) {
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
  // Sends the CSRF token in a header. In a browser, axios does that by itself: it reads the token from
  // document.cookie, which Node does not have.
  http.interceptors.request.use((config) => {
    const cookie = token()
    if (cookie && !config.headers.has(config.xsrfHeaderName!))
      config.headers.set(config.xsrfHeaderName!, decodeURIComponent(cookie.value))
    return config
  })
  http.interceptors.response.use((response) => {
    expectNoInternalDetails(response)
    return response
  })
  return {
    url,
    jar,
    http,
    csrf: () => http.get('/sanctum/csrf-cookie'),
    /**
     * Returns the session cookie of the client: the only cookie with HttpOnly. Undefined if the client has
     * none.
     */
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

/** Registers a member, and returns the member with an axios client, which is logged in. */
export async function axiosMember(url: string, name: string, more: object = {}) {
  const client = axiosVisitor(url)
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
export type AxiosMember = Awaited<ReturnType<typeof axiosMember>>

// ── Expected responses ──────────────────────────────────────────────────────

export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Expects that a response contains no internal details if it is an error. */
function expectNoInternalDetails({ status, data, config }: AxiosResponse) {
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

/**
 * Expects a response with the status 422 and with errors in exactly these fields, or in any fields if none
 * are given. Each field has a list of errors, and the message is the first error.
 */
export function expectInvalid({ status, data }: AxiosResponse, ...fields: string[]) {
  expect(status, JSON.stringify(data)).toBe(422)
  expect(Object.keys(data).sort()).toEqual(['errors', 'message'])
  for (const list of Object.values(data.errors))
    expect(list).toEqual(expect.arrayContaining([expect.stringMatching(/\S/)]))
  expect(data.message).toBe((Object.values(data.errors) as string[][])[0]![0])
  if (fields.length) expect(Object.keys(data.errors).sort()).toEqual([...fields].sort())
}

/**
 * Expects an error response with this status. The status is not 422, and the body is JSON with only a
 * message.
 */
export function expectError({ status, data, headers }: AxiosResponse, expected: number) {
  expect(status, JSON.stringify(data)).toBe(expected)
  expect(String(headers['content-type'])).toMatch(/^application\/json/)
  expect(data).toEqual({ message: expect.stringMatching(/\S/) })
}
export function expect401({ status, data }: AxiosResponse) {
  expect(status).toBe(401)
  expect(data).toEqual({ message: 'Unauthenticated.' })
}

// ── Pictures and forms ──────────────────────────────────────────────────────

export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

export const pictureBytes = (
  width: number,
  height: number,
  kind: PictureFormat = 'png',
  background = '#28634f',
) =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(kind)
    .toBuffer()

export const axiosFile = (bytes: Buffer | string, name: string, type = 'application/octet-stream') =>
  new File([bytes as unknown as BlobPart], name, { type })

/**
 * Returns fields such as `{ text: 'Hello', 'images[]': [file, file] }` as a form, which axios sends as
 * multipart/form-data.
 */
export function axiosForm(fields: Record<string, string | File | readonly File[]>) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat() as (string | File)[]) data.append(name, one)
  return data
}
