import './composer.css'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type CSSProperties, type DragEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { postComposerText } from './composer-text.ts'
import { PicturePreview } from './PicturePreview.tsx'
import type { PickedPicture } from './prepare-pictures.ts'

interface Props {
  pictures: PickedPicture[]
  /** The part that has been sent, from 0 to 1; null while nothing is being sent. */
  uploadProgress: number | null
  onChange: (pictures: PickedPicture[]) => void
  onDescribe: (picture: PickedPicture) => void
  /**
   * After the last picture was removed. The caller must move the focus, as the focused button disappeared.
   */
  onEmpty: () => void
}

/** The chosen pictures of a new post, reply or message, which can be described, moved and removed. */
export default function PictureTiles({ pictures, uploadProgress, onChange, onDescribe, onEmpty }: Props) {
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
    // The button that moves the picture further in the same direction; if it is missing, the other one.
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

function useDragging(
  pictures: PickedPicture[],
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
  picture: PickedPicture
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
      <span aria-hidden="true">{picture.alt ? t.described : t.addDescription}</span>
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

/** For one picture. The browser sends the pictures one after another. */
function percentSent(pictures: PickedPicture[], index: number, uploadProgress: number) {
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
