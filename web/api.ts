import { type Answer, type Endpoint, fillPath, type Input } from '#core/contract.ts'
import * as newVersion from '#web/new-version.ts'

/** `status` is the HTTP status, or 0 if there was no usable response. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Seconds, from the header `Retry-After`; null without it. */
  readonly retryAfter: number | null
  /** The message says who was asked and decides: no error in the eyes of the member. */
  readonly waits: boolean
  constructor(
    status: number,
    message: string,
    errors: Record<string, string[]> = {},
    retryAfter: number | null = null,
    waits = false,
  ) {
    super(message)
    this.status = status
    this.errors = errors
    this.retryAfter = retryAfter
    this.waits = waits
  }
}

export interface ListPage<T> {
  rows: T
  /** A URL; null on the last page. */
  next: string | null
}
interface Options {
  /** With files: the body in place of the input as JSON. */
  form?: FormData
  /** `share` is the sent part of the body, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Throws an ApiError if the call fails. */
export async function callEndpoint<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Answer<E>> {
  return (
    await call(
      endpoint.method,
      urlOf(endpoint, input),
      endpoint.method === 'GET' ? undefined : input,
      options,
    )
  ).body as Answer<E>
}

/** `from` is the `next` of the previous page; null fetches the first one. */
export async function fetchPage<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  from: string | null = null,
): Promise<ListPage<Answer<E>>> {
  const answer = await call('GET', from ?? urlOf(endpoint, input), undefined, {})
  return { rows: answer.body as Answer<E>, next: nextOf(answer.link) }
}

function urlOf(endpoint: Endpoint, input: unknown): string {
  const given = (input ?? {}) as Record<string, unknown>
  const path = fillPath(endpoint.path, given)
  if (endpoint.method !== 'GET') return path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== null && value !== '' && !endpoint.path.includes(`:${name}`))
      query.set(name, String(value))
  return query.size ? `${path}?${query}` : path
}

const nextOf = (link: string | null) => /<([^<>]+)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null

/** As clients of Laravel Sanctum do before they register or log in. */
export const requestCsrf = () => fetch('/sanctum/csrf-cookie', { credentials: 'same-origin' }).catch(() => {})

const cookie = (name: string) => {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : ''
}

/** The member whose page this is; undefined for a visitor. */
let sender: number | undefined
export const sendAs = (member: number | undefined) => {
  sender = member
}

/**
 * The token, read only for what needs it, because reading cookies waits for another process; and the member, so
 * that nothing is done as somebody who has logged in since in another tab.
 */
const writeHeaders = (): Record<string, string> => ({
  'x-xsrf-token': cookie('XSRF-TOKEN'),
  ...(sender && { 'x-member': `${sender}` }),
})

interface RawResponse {
  status: number
  body: unknown
  link: string | null
  retryAfter: string | null
}

async function call(method: string, url: string, input: unknown, options: Options): Promise<RawResponse> {
  const send = () =>
    options.onProgress ? sendWithProgress(method, url, options) : sendWithFetch(method, url, input, options)
  let answer = await send()
  if (answer.status === 419) {
    await requestCsrf()
    options.signal?.throwIfAborted()
    answer = await send()
  }
  if (answer.status >= 200 && answer.status < 300) return answer
  const errorBody = (answer.body ?? {}) as {
    message?: string
    errors?: Record<string, string[]>
    waits?: boolean
  }
  throw new ApiError(
    answer.status,
    errorBody.message ?? '',
    errorBody.errors,
    answer.retryAfter ? Number(answer.retryAfter) : null,
    errorBody.waits,
  )
}

async function sendWithFetch(
  method: string,
  url: string,
  input: unknown,
  { form, signal }: Options,
): Promise<RawResponse> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(method !== 'GET' && writeHeaders()),
  }
  if (method !== 'GET' && !form) headers['content-type'] = 'application/json'
  const body = method === 'GET' ? null : (form ?? JSON.stringify(input ?? {}))
  const response = await fetch(url, {
    method,
    headers,
    body,
    credentials: 'same-origin',
    signal: signal ?? null,
  }).catch((error) => {
    if (signal?.aborted) throw error
    throw new ApiError(0, '')
  })
  newVersion.detect(response)
  const text = await response.text().catch(() => '')
  return {
    status: response.status,
    body: parseJson(text),
    link: response.headers.get('link'),
    retryAfter: response.headers.get('retry-after'),
  }
}

/** With XMLHttpRequest, because fetch reports no upload progress. */
const sendWithProgress = (method: string, url: string, { form, onProgress, signal }: Options) =>
  new Promise<RawResponse>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.setRequestHeader('accept', 'application/json')
    for (const [name, value] of Object.entries(writeHeaders())) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    request.onload = () =>
      resolve({
        status: request.status,
        body: parseJson(request.responseText),
        link: request.getResponseHeader('link'),
        retryAfter: request.getResponseHeader('retry-after'),
      })
    request.onerror = () => reject(new ApiError(0, ''))
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form ?? null)
  })

const parseJson = (text: string): unknown => {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return null
  }
}
