import './composer.css'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type CSSProperties, type DragEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { postComposerText } from './composer-text.ts'
import { PicturePreview } from './PicturePreview.tsx'
import type { PickedPictureFileAndDescription } from './prepare-pictures.ts'

interface PictureTilesProps {
  pictures: PickedPictureFileAndDescription[]
  /** The part of the upload that has been sent, from 0 to 1; null while nothing is being sent. */
  uploadProgress: number | null
  onChange: (pictures: PickedPictureFileAndDescription[]) => void
  onDescribe: (picture: PickedPictureFileAndDescription) => void
  /**
   * Called after the member removed the last picture. The caller must move the focus, because the focused
   * button has disappeared.
   */
  onEmpty: () => void
}

/**
 * Renders the chosen pictures of a new post, reply or message in their order, with buttons to describe, move
 * and remove them.
 */
export default function PickedPictureTiles({
  pictures,
  uploadProgress,
  onChange,
  onDescribe,
  onEmpty,
}: PictureTilesProps) {
  const t = useText(postComposerText)
  const list = useRef<HTMLUListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const focus = (index: number, ...selectors: string[]) =>
    selectors
      .map((selector) => list.current?.children[index]?.querySelector<HTMLElement>(selector))
      .find(Boolean)
      ?.focus()

  const announcePosition = (index: number) => setAnnouncement(t.moved(index + 1, pictures.length))
  const move = (from: number, to: number) =>
    flushSync(() => onChange(pictures.toSpliced(from, 1).toSpliced(to, 0, pictures[from]!)))
  const moveBy = (from: number, by: -1 | 1) => {
    move(from, from + by)
    announcePosition(from + by)
    // Focuses the button of the moved picture that moves it again in the same direction. If that button is
    // missing, focuses the other one: the first picture has no “earlier” button, the last one no “later”
    // button.
    focus(from + by, by < 0 ? '.earlier' : '.later', '.earlier, .later')
  }
  const remove = (index: number) => {
    flushSync(() => onChange(pictures.toSpliced(index, 1)))
    setAnnouncement(t.removed)
    if (pictures.length === 1) onEmpty()
    else focus(Math.min(index, pictures.length - 2), '.remove')
  }
  const dragging = useDragging(pictures, move, announcePosition)
  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {pictures.length > 0 && (
        <ul className="picture-tiles" aria-label={t.pictureList} ref={list}>
          {pictures.map((picture, index) => (
            <li
              key={picture.key}
              className="tile"
              draggable={uploadProgress === null}
              {...dragging(picture.key, index)}
            >
              <PicturePreview file={picture.file} alt={picture.alt || picture.file.name} />
              <DescribeButton picture={picture} index={index} onPress={() => onDescribe(picture)} />
              {uploadProgress === null ? (
                <TileButtons
                  index={index}
                  count={pictures.length}
                  onMove={(by) => moveBy(index, by)}
                  onRemove={() => remove(index)}
                />
              ) : (
                <Progress percent={percentSent(pictures, index, uploadProgress)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Returns a function that returns the drag-and-drop attributes of the tile of one picture. */
function useDragging(
  pictures: PickedPictureFileAndDescription[],
  move: (from: number, to: number) => void,
  onEnd: (index: number) => void,
) {
  const [dragged, setDragged] = useState<string | null>(null)
  const draggedIndex = () => pictures.findIndex(({ key }) => key === dragged)
  return (key: string, index: number) => ({
    'data-dragged': dragged === key || undefined,
    onDragStart(event: DragEvent) {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('application/x-engawa-picture', key)
      setDragged(key)
    },
    onDragOver(event: DragEvent) {
      if (!dragged) return
      event.preventDefault()
      if (dragged !== key) move(draggedIndex(), index)
    },
    onDrop: (event: DragEvent) => dragged && event.preventDefault(),
    onDragEnd() {
      onEnd(draggedIndex())
      setDragged(null)
    },
  })
}

interface DescribeButtonProps {
  picture: PickedPictureFileAndDescription
  index: number
  onPress: () => void
}
function DescribeButton({ picture, index, onPress }: DescribeButtonProps) {
  const t = useText(postComposerText)
  const label = t.picture(index + 1)
  return (
    <button
      type="button"
      className="describe-button"
      data-missing={picture.alt ? undefined : ''}
      onClick={onPress}
    >
      <span aria-hidden="true">{picture.alt ? 'ALT ✓' : '+ ALT'}</span>
      <b className="visually-hidden">{picture.alt ? t.editAlt(label) : t.addAlt(label)}</b>
    </button>
  )
}

interface TileButtonsProps {
  index: number
  count: number
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}
function TileButtons({ index, count, onMove, onRemove }: TileButtonsProps) {
  const t = useText(postComposerText)
  const label = t.picture(index + 1)
  const button = (className: string, drawing: typeof X, text: string, onClick: () => void) => (
    <button type="button" className={`tile-button ${className}`} aria-label={text} onClick={onClick}>
      <span>
        <Icon icon={drawing} size="s" />
      </span>
    </button>
  )
  return (
    <>
      <span className="move-buttons">
        {index > 0 && button('earlier', ChevronLeft, t.moveEarlier(label), () => onMove(-1))}
        {index < count - 1 && button('later', ChevronRight, t.moveLater(label), () => onMove(1))}
      </span>
      {button('remove', X, t.remove(label), onRemove)}
    </>
  )
}

/**
 * Returns how much of one picture has been sent, in percent. The browser sends the pictures one after
 * another.
 */
function percentSent(pictures: PickedPictureFileAndDescription[], index: number, uploadProgress: number) {
  const sizes = pictures.map(({ file }) => file.size)
  const sum = (list: number[]) => list.reduce((total, size) => total + size, 0)
  const share = (uploadProgress * sum(sizes) - sum(sizes.slice(0, index))) / Math.max(1, sizes[index]!)
  return Math.round(100 * Math.min(Math.max(0, share), 1))
}

const Progress = ({ percent }: { percent: number }) => (
  <span
    className="progress"
    role="progressbar"
    aria-label={useText(postComposerText).uploading}
    aria-valuenow={percent}
    aria-valuemin={0}
    aria-valuemax={100}
    style={{ '--done': `${percent}%` } as CSSProperties}
  >
    <i />
  </span>
)
