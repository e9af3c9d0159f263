import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { fillChannel } from '#core/contract.ts'
import { callEndpoint, fetchPage, type ListPage } from '#web/api.ts'
import { findAnswer } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import {
  type Album,
  type AlbumPicture,
  type AlbumPictureEvents,
  albumChannels,
  albumEndpoints,
  albumPictureEndpoints,
} from '../contract.ts'

export type Sort = 'added' | 'taken'

const keyOf = (album: number) => [albumEndpoints.show.path, album]

export function useAlbum(id: number) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: () => callEndpoint(albumEndpoints.show, { id }),
    initialData: () => findAnswer(albumEndpoints.show, { id })?.body as Album | undefined,
  })
}

export function useAlbumCache(id: number) {
  const client = useQueryClient()
  return {
    change: (change: (album: Album) => Partial<Album>) =>
      client.setQueryData<Album>(keyOf(id), (album) => album && { ...album, ...change(album) }),
    reload: () => client.invalidateQueries({ queryKey: keyOf(id) }),
  }
}

interface Live {
  added: readonly AlbumPicture[]
  removed: ReadonlySet<number>
}
const nothing: Live = { added: [], removed: new Set() }

const comesBefore = (a: AlbumPicture, b: AlbumPicture) =>
  a.taken_at === b.taken_at ? a.id < b.id : a.taken_at < b.taken_at

/** Those that came since join the loaded ones, unless their place is further down. */
function join(loaded: readonly AlbumPicture[], { added, removed }: Live, sort: Sort, hasMore: boolean) {
  const known = new Set(loaded.map(({ id }) => id))
  const fresh = added.filter(({ id }) => !known.has(id))
  const rows = loaded.filter(({ id }) => !removed.has(id))
  if (sort === 'added') return [...fresh.toReversed().filter(({ id }) => !removed.has(id)), ...rows]
  for (const picture of fresh) {
    if (removed.has(picture.id)) continue
    const at = rows.findIndex((row) => comesBefore(picture, row))
    if (at >= 0) rows.splice(at, 0, picture)
    else if (!hasMore) rows.push(picture)
  }
  return rows
}

function firstPage(id: number) {
  const answer = findAnswer(albumPictureEndpoints.list, { id })
  if (!answer) return undefined
  const page = { rows: answer.body as AlbumPicture[], next: answer.next }
  return { pages: [page], pageParams: [null] as (string | null)[] }
}

interface Choice {
  id: number
  sort: Sort
  by: number | null
  /** While the lightbox is open, nothing moves. */
  isHeld: boolean
  onChanged: (words: AlbumPictureEvents['AlbumChanged']) => void
  onDeleted: () => void
}

export function usePictures({ id, sort, by, isHeld, onChanged, onDeleted }: Choice) {
  const [live, setLive] = useState(nothing)
  const [shown, setShown] = useState(live)
  if (!isHeld && shown !== live) setShown(live)
  const { change, reload } = useAlbumCache(id)
  const input = { id, ...(sort === 'taken' && { sort }), ...(by !== null && { by }) }
  const query = useInfiniteQuery({
    queryKey: [albumPictureEndpoints.list.path, id, sort, by],
    queryFn: ({ pageParam }) => fetchPage(albumPictureEndpoints.list, input, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<AlbumPicture[]>) => next,
    initialData: () => (sort === 'added' && by === null ? firstPage(id) : undefined),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const addAll = (pictures: readonly AlbumPicture[]) =>
    setLive(({ added, removed }) => ({
      added: [...added, ...pictures.filter(({ id: one }) => !added.some((own) => own.id === one))],
      removed,
    }))
  const gone = useRef(new Set<number>())
  const remove = (ids: readonly number[]) => {
    // The answer and the live event tell the same.
    const fresh = ids.filter((one) => !gone.current.has(one))
    for (const one of fresh) gone.current.add(one)
    setLive(({ added, removed }) => ({ added, removed: new Set([...removed, ...fresh]) }))
    change(({ pictures_count }) => ({ pictures_count: Math.max(0, pictures_count - fresh.length) }))
  }
  realtime.useListener(fillChannel(albumChannels.album, { album: id }), {
    // What came during an interruption.
    onSubscribed: () => {
      void reload()
      void callEndpoint(albumPictureEndpoints.list, { id }).then(
        (newest) => addAll(newest.toReversed()),
        () => {},
      )
    },
    events: {
      AlbumPictureAdded: ({ picture }: AlbumPictureEvents['AlbumPictureAdded']) => {
        addAll([picture])
        change(({ pictures_count }) => ({ pictures_count: pictures_count + 1 }))
      },
      AlbumPicturesRemoved: ({ ids }: AlbumPictureEvents['AlbumPicturesRemoved']) => remove(ids),
      AlbumChanged: onChanged,
      AlbumDeleted: onDeleted,
    },
  })
  const loaded = query.data?.pages
  const rows = useMemo(() => {
    const own = by === null ? shown : { ...shown, added: shown.added.filter(({ user }) => user.id === by) }
    const last = loaded?.at(-1)
    return (
      loaded &&
      join(
        loaded.flatMap((page) => page.rows),
        own,
        sort,
        Boolean(last?.next),
      )
    )
  }, [loaded, shown, sort, by])
  return { ...query, rows, remove }
}
