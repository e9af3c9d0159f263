import type * as v from 'valibot'
import { type Endpoint, fillPath } from '#core/contract.ts'

/** A refusal or a failure; `status` is 0 when no answer came at all. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Seconds to wait, with 429. */
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
export interface Rows<T> {
  rows: T
  /** Address of the next page, or null on the last. */
  next: string | null
}
interface Options {
  /** Replaces the JSON body where files are sent. */
  form?: FormData
  /** Share of the body that has been sent, 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Makes one call of the contract. Throws ApiError. */
export async function api<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Output<E>> {
  return (
    await call(
      endpoint.method,
      address(endpoint, input),
      endpoint.method === 'GET' ? undefined : input,
      options,
    )
  ).body as Output<E>
}

/** One page of a list; `from` is the `next` of the page before. */
export async function apiPage<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  from: string | null = null,
): Promise<Rows<Output<E>>> {
  const answer = await call('GET', from ?? address(endpoint, input), undefined, {})
  return { rows: answer.body as Output<E>, next: nextOf(answer.link) }
}

function address(endpoint: Endpoint, input: unknown): string {
  const given = (input ?? {}) as Record<string, unknown>
  const path = fillPath(endpoint.path, given)
  if (endpoint.method !== 'GET') return path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== null && value !== '' && !endpoint.path.includes(`:${name}`))
      query.set(name, String(value))
  return query.size ? `${path}?${query}` : path
}

const nextOf = (link: string | null) => /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null

/** Fetches a fresh anti-forgery token, as Sanctum's clients do before they register or log in. */
export const freshToken = () => fetch('/sanctum/csrf-cookie', { credentials: 'same-origin' }).catch(() => {})

const cookie = (name: string) => {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : ''
}

interface Answer {
  status: number
  body: unknown
  link: string | null
  retryAfter: string | null
}

async function call(method: string, url: string, input: unknown, options: Options): Promise<Answer> {
  const send = () =>
    options.onProgress ? sendWatched(method, url, options) : sendPlain(method, url, input, options)
  let answer = await send()
  if (answer.status === 419) {
    await freshToken()
    answer = await send()
  }
  if (answer.status >= 200 && answer.status < 300) return answer
  const said = (answer.body ?? {}) as { message?: string; errors?: Record<string, string[]> }
  throw new ApiError(
    answer.status,
    said.message ?? '',
    said.errors,
    answer.retryAfter ? Number(answer.retryAfter) : null,
  )
}

async function sendPlain(
  method: string,
  url: string,
  input: unknown,
  { form, signal }: Options,
): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json', 'x-xsrf-token': cookie('XSRF-TOKEN') }
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
  const text = await response.text().catch(() => '')
  return {
    status: response.status,
    body: parsed(text),
    link: response.headers.get('link'),
    retryAfter: response.headers.get('retry-after'),
  }
}

/** XMLHttpRequest, because fetch tells nothing of a body on its way. */
const sendWatched = (method: string, url: string, { form, onProgress, signal }: Options) =>
  new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('x-xsrf-token', cookie('XSRF-TOKEN'))
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    request.onload = () =>
      resolve({
        status: request.status,
        body: parsed(request.responseText),
        link: request.getResponseHeader('link'),
        retryAfter: request.getResponseHeader('retry-after'),
      })
    request.onerror = () => reject(new ApiError(0, ''))
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form ?? null)
  })

const parsed = (text: string): unknown => {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return null
  }
}
