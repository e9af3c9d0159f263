import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { Download } from '#core/http/downloads.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { toSafeFileName } from '#core/text/file-names.ts'
import { MAX_PICTURES } from './contract.ts'
import * as read from './read.ts'
import { findStoredWidth } from './stored.ts'

interface Entry {
  /** In the media storage. */
  file: string
  name: string
  taken_at: string
}

/** Who is downloading: by member, or by link. Each process counts its own. */
const running = new Set<string>()

/** One file of the storage. */
export async function openStored(
  { storage }: Pick<AppContext, 'storage'>,
  file: string,
  signal: AbortSignal,
) {
  if (storage.folder !== null) return createReadStream(join(storage.folder, file))
  const found = await storage.stream(file, { signal })
  if (!found) throw httpErrors.notFound()
  return found.body
}

/** All pictures that the viewer sees, as they are stored, streamed. 429 while `who` gets another one. */
export async function download(viewer: MemberContext, id: number, who = `member ${viewer.me.id}`) {
  const { title } = await read.requireAlbum(viewer, id)
  const entries = await listEntries(viewer, id)
  return new Download({
    bytes: null,
    etag: '',
    contentType: 'application/zip',
    filename: `${toSafeFileName(title)}.zip`,
    open: () => {
      if (running.has(who)) throw createRunningError()
      running.add(who)
      const stream = zip(viewer, entries)
      stream.once('close', () => running.delete(who))
      return stream
    },
  })
}

/** By when they were taken. Names are unique whatever the case of their letters. */
async function listEntries(viewer: MemberContext, album: number): Promise<Entry[]> {
  const rows = await viewer.db
    .selectFrom('album_pictures as p')
    .innerJoin('media as m', 'm.name', 'p.media')
    .leftJoin('media_sources as s', 's.name', 'p.media')
    .select(['p.file_name', 'p.taken_at', 'm.widths', 'm.animated'])
    .select(sql<string>`coalesce(s.source, m.name)`.as('stored'))
    .where('p.album_id', '=', album)
    .where(read.shows(viewer, 'p.user_id'))
    .orderBy('p.taken_at')
    .orderBy('p.id')
    .limit(MAX_PICTURES)
    .execute()
  const unique = uniqueNames()
  return rows.map(({ file_name, taken_at, stored, ...row }) => ({
    file: storedNames.ofPicture(stored, findStoredWidth(row)),
    name: unique(file_name),
    taken_at,
  }))
}

/** `IMG_1.jpg` twice becomes `IMG_1.webp` and `IMG_1+1.webp`. */
export function uniqueNames() {
  const taken = new Map<string, number>()
  const used = new Set<string>()
  return (given: string) => {
    const base = toSafeFileName(given).replace(/\.\w{1,5}$/, '') || 'picture'
    const key = base.toLowerCase()
    let number = taken.get(key) ?? 0
    let name = base
    while (number > 0 || used.has(name.toLowerCase())) {
      name = number ? `${base}+${number}` : base
      if (!used.has(name.toLowerCase())) break
      number++
    }
    taken.set(key, number + 1)
    used.add(name.toLowerCase())
    return `${name}.webp`
  }
}

/** One file after the other is open. Ends all work when the reader goes away. */
export function zip(context: Pick<AppContext, 'storage'>, entries: readonly Entry[]) {
  const output = new PassThrough()
  const stopped = new AbortController()
  let current: Readable | undefined
  output.once('close', () => {
    stopped.abort()
    current?.destroy()
  })
  void import('yazl').then(({ ZipFile }) => {
    const archive = new ZipFile()
    archive.on('error', (error: Error) => output.destroy(error))
    for (const { file, name, taken_at } of entries)
      archive.addReadStreamLazy(name, { compress: false, mtime: new Date(taken_at) }, (done) => {
        // Without an answer, yazl waits for ever, and is forgotten with the stream.
        if (stopped.signal.aborted) return
        openStored(context, file, stopped.signal).then(
          (stream) => {
            current = stream
            stream.once('error', (error) => output.destroy(error))
            done(null, stream)
          },
          (error: Error) => output.destroy(error),
        )
      })
    archive.end()
    archive.outputStream.pipe(output)
  })
  return output
}

const createRunningError = () =>
  new HttpError(429, {
    en: 'You are downloading an album already. Wait until it is there.',
    ja: 'ほかのダウンロードが終わってから、もう一度お試しください。',
  })
