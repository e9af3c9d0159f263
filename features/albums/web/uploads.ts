import { ApiError, callEndpoint } from '#web/api.ts'
import { createStore } from '#web/store.ts'
import { maxPictureMb, preparePicture } from '#web/ui/image-files.ts'
import { albumPictureEndpoints, MAX_HASHES } from '../contract.ts'

// The pictures on their way to albums. They stay here while the member looks at other pages. Sending the same
// picture twice changes nothing, so after a break everything unfinished is simply sent again.

export interface Upload {
  key: number
  album: number
  file: File
  /** `same`: the album has these bytes already. */
  state: 'waiting' | 'sending' | 'done' | 'same' | 'failed'
  /** The sent part, from 0 to 1. */
  share: number
  /** Why it failed. */
  error: ApiError | 'unreadable' | 'too large' | null
}

interface State {
  uploads: readonly Upload[]
  /** Why nothing is sent at the moment. */
  pause: 'offline' | 'busy' | null
}

export const uploads = createStore<State>({ uploads: [], pause: null })

/** The server decodes two pictures at a time. */
const CONCURRENCY = 2
/** In ms, after the first interruption; later ones wait longer. */
const FIRST_WAIT = 2000
const MAX_WAIT = 60_000

let nextKey = 1
let running = 0
let waits = 0
let timer: ReturnType<typeof setTimeout> | undefined
const requests = new Map<number, AbortController>()

const patch = (key: number, change: Partial<Upload>) =>
  uploads.patch({
    uploads: uploads.get().uploads.map((one) => (one.key === key ? { ...one, ...change } : one)),
  })

const isOpen = ({ state }: Upload) => state === 'waiting' || state === 'sending'

export function add(album: number, files: readonly File[]) {
  const added = files.map(
    (file): Upload => ({ key: nextKey++, album, file, state: 'waiting', share: 0, error: null }),
  )
  uploads.patch({ uploads: [...uploads.get().uploads, ...added] })
  addEventListener('beforeunload', warn)
  void skipKnown(album, added).then(start)
}

/** Forgets those of the album; those on their way are broken off. */
export function forget(album: number) {
  for (const { key, album: own } of uploads.get().uploads) if (own === album) requests.get(key)?.abort()
  uploads.patch({ uploads: uploads.get().uploads.filter((one) => one.album !== album) })
  if (!uploads.get().uploads.some(isOpen)) uploads.patch({ pause: null })
}

export function retry(album: number) {
  for (const { key, state, album: own } of uploads.get().uploads)
    if (own === album && state === 'failed') patch(key, { state: 'waiting', error: null, share: 0 })
  start()
}

const warn = (event: BeforeUnloadEvent) => {
  if (uploads.get().uploads.some(isOpen)) event.preventDefault()
  else removeEventListener('beforeunload', warn)
}

const toHex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Asks which of them the album has already, so that an interrupted evening of uploads begins where it ended. */
async function skipKnown(album: number, added: readonly Upload[]) {
  // Only secure pages have it. The server knows them by their bytes too.
  if (!crypto.subtle) return
  for (let first = 0; first < added.length; first += MAX_HASHES) {
    const batch = added.slice(first, first + MAX_HASHES)
    const keys = new Map<string, number[]>()
    for (const { key, file } of batch) {
      const bytes = await file.arrayBuffer().catch(() => null)
      if (!bytes) continue
      const hash = toHex(await crypto.subtle.digest('SHA-256', bytes))
      keys.set(hash, [...(keys.get(hash) ?? []), key])
    }
    const { known } = await callEndpoint(albumPictureEndpoints.known, {
      id: album,
      hashes: [...keys.keys()],
    }).catch(() => ({ known: [] as string[] }))
    for (const hash of known)
      for (const key of keys.get(hash) ?? [])
        if (uploads.get().uploads.some((one) => one.key === key && one.state === 'waiting'))
          patch(key, { state: 'same', share: 1 })
    // The first ones go while the others are still looked at.
    start()
  }
}

function start() {
  while (running < CONCURRENCY && !uploads.get().pause) {
    const next = uploads.get().uploads.find(({ state }) => state === 'waiting')
    if (!next) return
    running++
    patch(next.key, { state: 'sending', share: 0 })
    void send(next).finally(() => {
      running--
      start()
    })
  }
}

const isHeic = ({ name, type }: File) => /\.hei[cf]$/i.test(name) || /hei[cf]/.test(type)

async function send({ key, album, file }: Upload) {
  const needsWork = isHeic(file) || file.size > maxPictureMb * 2 ** 20
  const ready = needsWork ? await preparePicture(file) : file
  if (typeof ready === 'string') return patch(key, { state: 'failed', error: ready })
  const form = new FormData()
  form.set('taken', new Date(file.lastModified).toISOString())
  form.set('offset', String(-new Date(file.lastModified).getTimezoneOffset()))
  form.set('image', ready, ready.name)
  const controller = new AbortController()
  requests.set(key, controller)
  try {
    const { is_new } = await callEndpoint(
      albumPictureEndpoints.add,
      { id: album },
      { form, signal: controller.signal, onProgress: (share) => patch(key, { share }) },
    )
    waits = 0
    patch(key, { state: is_new ? 'done' : 'same', share: 1 })
  } catch (error) {
    if (!controller.signal.aborted) interrupted(key, error)
  } finally {
    requests.delete(key)
  }
}

function interrupted(key: number, error: unknown) {
  if (!(error instanceof ApiError)) return patch(key, { state: 'failed', error: 'unreadable' })
  const passes = error.status === 0 || error.status === 503 || (error.status === 429 && isSoon(error))
  if (!passes) return patch(key, { state: 'failed', error })
  patch(key, { state: 'waiting', share: 0 })
  const wait = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** waits++)
  pauseFor(error.status === 0 ? 'offline' : 'busy', Math.max(wait, (error.retryAfter ?? 0) * 1000))
}

/** A limit for new members lasts for hours. */
const isSoon = ({ retryAfter }: ApiError) => (retryAfter ?? 0) <= MAX_WAIT / 1000

function pauseFor(pause: State['pause'], ms: number) {
  uploads.patch({ pause })
  clearTimeout(timer)
  timer = setTimeout(goOn, ms)
}

function goOn() {
  clearTimeout(timer)
  uploads.patch({ pause: null })
  start()
}
addEventListener('online', goOn)
