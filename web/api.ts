import type * as v from 'valibot'
import { type Endpoint, fillPathParameters } from '#core/contract.ts'
import { detectNewAppVersionFromResponse } from '#web/new-version.ts'

/**
 * The error that is thrown if the server answers a request with an error. `status` is the HTTP status, or 0
 * if there was no usable response.
 */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Readonly<Record<string, readonly string[]>>
  /**
   * The number of seconds to wait before the next attempt, from the header `Retry-After`; null if the
   * response had no such header.
   */
  readonly retryAfter: number | null
  constructor(
    status: number,
    message: string,
    errors: Record<string, string[]> = {},
    retryAfter: number | null = null,
  ) {
    super(message)
    this.status = status
    this.errors = errors
    this.retryAfter = retryAfter
  }
}

type Input<E extends Endpoint> = v.InferInput<E['input']>
type Output<E extends Endpoint> = v.InferOutput<E['output']>
export interface FetchedListPage<T> {
  rows: T
  /** The URL of the next page of the list; null if this page is the last one. */
  next: string | null
}
interface Options {
  /** The form with the files to send. It is the body of the request in place of the input as JSON. */
  form?: FormData
  /**
   * Called repeatedly during an upload with the share of the body that has been sent, a number from 0 to 1.
   */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/**
 * Calls an endpoint of the server and returns the parsed body of the response. Throws an ApiError if the call
 * fails.
 */
export async function callEndpoint<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Output<E>> {
  return (
    await call(
      endpoint.method,
      urlOf(endpoint, input),
      endpoint.method === 'GET' ? undefined : input,
      options,
    )
  ).body as Output<E>
}

/**
 * Fetches one page of a list of the server. `from` is the `next` of the previous page; null fetches the first
 * page.
 */
export async function fetchListPage<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  from: string | null = null,
): Promise<FetchedListPage<Output<E>>> {
  const answer = await call('GET', from ?? urlOf(endpoint, input), undefined, {})
  return { rows: answer.body as Output<E>, next: nextOf(answer.link) }
}

function urlOf(endpoint: Endpoint, input: unknown): string {
  const given = (input ?? {}) as Record<string, unknown>
  const path = fillPathParameters(endpoint.path, given)
  if (endpoint.method !== 'GET') return path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== null && value !== '' && !endpoint.path.includes(`:${name}`))
      query.set(name, String(value))
  return query.size ? `${path}?${query}` : path
}

const nextOf = (link: string | null) => /<([^<>]+)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null

/**
 * Lets the server set a new CSRF token in its cookie, as clients of Laravel Sanctum do before they register
 * or log in.
 */
export const requestCsrfTokenCookie = () =>
  fetch('/sanctum/csrf-cookie', { credentials: 'same-origin' }).catch(() => {})

const cookie = (name: string) => {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : ''
}

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
    await requestCsrfTokenCookie()
    options.signal?.throwIfAborted()
    answer = await send()
  }
  if (answer.status >= 200 && answer.status < 300) return answer
  const errorBody = (answer.body ?? {}) as { message?: string; errors?: Record<string, string[]> }
  throw new ApiError(
    answer.status,
    errorBody.message ?? '',
    errorBody.errors,
    answer.retryAfter ? Number(answer.retryAfter) : null,
  )
}

async function sendWithFetch(
  method: string,
  url: string,
  input: unknown,
  { form, signal }: Options,
): Promise<RawResponse> {
  const headers: Record<string, string> = { accept: 'application/json' }
  // Reads the cookie only if the server needs the token, because the browser waits for another process then.
  if (method !== 'GET') headers['x-xsrf-token'] = cookie('XSRF-TOKEN')
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
  detectNewAppVersionFromResponse(response)
  const text = await response.text().catch(() => '')
  return {
    status: response.status,
    body: parseJson(text),
    link: response.headers.get('link'),
    retryAfter: response.headers.get('retry-after'),
  }
}

/**
 * Sends a form, and reports how much of it has been sent. Uses XMLHttpRequest, because fetch reports no
 * upload progress.
 */
const sendWithProgress = (method: string, url: string, { form, onProgress, signal }: Options) =>
  new Promise<RawResponse>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('x-xsrf-token', cookie('XSRF-TOKEN'))
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
