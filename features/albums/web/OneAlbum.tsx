import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { usePageTitle } from '#web/title.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader } from '#web/ui/PageLayout.tsx'
import type { Album } from '../contract.ts'
import { AlbumHeader } from './AlbumHeader.tsx'
import { Controls, useView } from './Controls.tsx'
import { PictureList } from './PictureList.tsx'
import { useAlbum, useAlbumCache, usePictures } from './pictures.ts'
import { albumText } from './text.ts'
import { UploadPanel } from './UploadPanel.tsx'
import * as queue from './uploads.ts'

export function OneAlbum({ id }: { id: number }) {
  const t = useText(albumText)
  const { data, error, isFetching, refetch } = useAlbum(id)
  const [isGone, setGone] = useState(false)
  usePageTitle(data?.title ?? null)
  if (isGone)
    return (
      <>
        <PageHeader title={t.title} />
        <EmptyState title={t.gone} />
      </>
    )
  if (data) return <Shown album={data} onGone={() => setGone(true)} />
  return (
    <>
      <PageHeader title={t.title} />
      {error ? (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
      ) : (
        <LoadingText />
      )}
    </>
  )
}

const isPicture = ({ type, name }: File) => type.startsWith('image/') || /\.hei[cf]$/i.test(name)

function Shown({ album, onGone }: { album: Album; onGone: () => void }) {
  const t = useText(albumText)
  const { id } = album
  const view = useView()
  const [open, setOpen] = useState<{ at: number; plays: boolean } | null>(null)
  const { change } = useAlbumCache(id)
  const pictures = usePictures({
    ...{ id, ...view.chosen },
    isHeld: open !== null,
    onChanged: (words) => change(() => words),
    onDeleted: onGone,
  })
  const add = (files: readonly File[]) => queue.add(id, files)
  const drop = useDrop(add)
  return (
    <div className="album" {...drop.handlers} data-drop={drop.isOver ? t.drop : undefined}>
      <AlbumHeader
        album={album}
        canPlay={Boolean(pictures.rows && pictures.rows.length > 1)}
        onPick={add}
        onPlay={() => setOpen({ at: 0, plays: true })}
        onChanged={(next) => change(() => next)}
        onDeleted={() => navigate('/albums')}
      />
      <UploadPanel album={id} />
      {album.pictures_count > 0 && <Controls album={album} view={view} />}
      <PictureList album={album} pictures={pictures} view={view} open={open} onOpen={setOpen} />
    </div>
  )
}

/** Files that are dragged from a folder. */
function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  const hasFiles = (event: React.DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    isOver,
    handlers: {
      onDragOver(event: React.DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: React.DragEvent<HTMLElement>) =>
        event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false),
      onDrop(event: React.DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        const files = [...event.dataTransfer.files].filter(isPicture)
        if (files.length) onFiles(files)
      },
    },
  }
}
