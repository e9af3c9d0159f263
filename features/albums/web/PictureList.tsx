import { Suspense, useEffect, useRef, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName } from '#web/ui/UserText.tsx'
import { type Album, type AlbumPicture, albumPictureEndpoints } from '../contract.ts'
import type { View } from './Controls.tsx'
import { Grid, ListEnd } from './Grid.tsx'
import type { usePictures } from './pictures.ts'
import { albumText } from './text.ts'

const Lightbox = lazyWithRetry(() => import('#features/posts/web/Lightbox.tsx'))
/** Pictures before the last loaded one at which the next page is loaded. */
const AHEAD = 20

interface Opened {
  at: number
  plays: boolean
}
interface Props {
  album: Album
  pictures: ReturnType<typeof usePictures>
  view: View
  open: Opened | null
  onOpen: (open: Opened | null) => void
}

export function PictureList({ album, pictures, view, open, onOpen }: Props) {
  const t = useText(albumText)
  const list = useRef<HTMLDivElement>(null)
  const { rows, error, isFetching, hasNextPage, fetchNextPage, refetch, remove } = pictures
  const [asked, setAsked] = useState<AlbumPicture | null>(null)
  const more = () => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }
  const at = useRef(0)
  const show = (index: number) => {
    at.current = index
    if (rows && index > rows.length - AHEAD) more()
  }
  const close = () => {
    onOpen(null)
    const id = rows?.[at.current]?.id
    list.current?.querySelector<HTMLElement>(`[data-picture="${id}"]`)?.focus()
  }
  if (!rows) {
    if (error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
    return <LoadingText />
  }
  const isFiltered = view.chosen.by !== null
  return (
    <div ref={list}>
      {!rows.length && (
        <EmptyState title={isFiltered ? t.emptyBy : t.empty} help={isFiltered ? undefined : t.emptyHelp} />
      )}
      <Grid
        rows={rows}
        sort={view.chosen.sort}
        onOpen={(index) => {
          at.current = index
          onOpen({ at: index, plays: false })
        }}
        end={hasNextPage && <ListEnd key={rows.length} onNear={more} />}
      />
      {open && rows.length > 0 && (
        <Suspense>
          <Lightbox
            images={rows.map(({ image }) => image)}
            start={open.at}
            slideShow={open.plays}
            onShow={show}
            onClose={close}
            caption={(index) =>
              rows[index] && <Caption album={album} picture={rows[index]} onRemove={setAsked} />
            }
          />
        </Suspense>
      )}
      {asked && (
        <RemoveDialog
          picture={asked}
          onRemoved={() => {
            remove([asked.id])
            close()
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  )
}

interface CaptionProps {
  album: Album
  picture: AlbumPicture
  onRemove: (picture: AlbumPicture) => void
}

function Caption({ album, picture, onRemove }: CaptionProps) {
  const t = useText(albumText)
  const me = useMe()
  const { user, taken_at } = picture
  return (
    <span className="album-caption">
      <span>
        <PersonName>{user.name}</PersonName> <ShortDate at={taken_at} />
      </span>
      {(album.manages || user.id === me?.id) && (
        <Button small kind="ghost" onClick={() => onRemove(picture)}>
          {t.remove}
        </Button>
      )}
    </span>
  )
}

interface RemoveProps {
  picture: AlbumPicture
  onRemoved: () => void
  onClose: () => void
}

function RemoveDialog({ picture: { id }, onRemoved, onClose }: RemoveProps) {
  const t = useText(albumText)
  const { run, dialog } = useConfirmation()
  const removed = useRef(onRemoved)
  useEffect(() => {
    removed.current = onRemoved
  })
  return (
    <>
      <ConfirmDialog
        title={t.removeTitle}
        confirmLabel={t.removeConfirm}
        isDestructive
        onConfirm={() => run(() => callEndpoint(albumPictureEndpoints.remove, { id }))}
        onDone={() => {
          showToast(t.removed)
          removed.current()
        }}
        onClose={onClose}
      >
        {t.removeText}
      </ConfirmDialog>
      {dialog}
    </>
  )
}
