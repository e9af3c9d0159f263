import './composer.css'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type CSSProperties, type DragEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { langOf, useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { useObjectUrl } from '#web/ui/PicturePicker.tsx'
import type { Picked } from './choose-pictures.ts'
import { composerText } from './composer-text.ts'

interface TilesProps {
  pictures: Picked[]
  /** Share of the upload that has been sent, 0 to 1; null while nothing is being sent. */
  sent: number | null
  onChange: (pictures: Picked[]) => void
  onDescribe: (picture: Picked) => void
  /** Called after the last picture was removed: move the focus somewhere else. */
  onEmpty: () => void
}

/** The chosen pictures in their order, with buttons to describe, move and remove them. */
export function PictureTiles({ pictures, sent, onChange, onDescribe, onEmpty }: TilesProps) {
  const t = useText(composerText)
  const list = useRef<HTMLUListElement>(null)
  const [news, setNews] = useState('')
  const focus = (at: number, ...selectors: string[]) =>
    selectors
      .map((selector) => list.current?.children[at]?.querySelector<HTMLElement>(selector))
      .find(Boolean)
      ?.focus()

  const sayPlace = (at: number) => setNews(t.moved(at + 1, pictures.length))
  const move = (from: number, to: number) =>
    flushSync(() => onChange(pictures.toSpliced(from, 1).toSpliced(to, 0, pictures[from]!)))
  const moveBy = (from: number, by: -1 | 1) => {
    move(from, from + by)
    sayPlace(from + by)
    // The first and the last picture lack one of the two buttons.
    focus(from + by, by < 0 ? '.earlier' : '.later', '.earlier, .later')
  }
  const remove = (at: number) => {
    flushSync(() => onChange(pictures.toSpliced(at, 1)))
    setNews(t.removed)
    if (pictures.length === 1) onEmpty()
    else focus(Math.min(at, pictures.length - 2), '.away')
  }
  const dragging = useDragging(pictures, move, sayPlace)
  return (
    <>
      <p className="hide" role="status">
        {news}
      </p>
      {pictures.length > 0 && (
        <ul className="tiles" aria-label={t.chosen} ref={list}>
          {pictures.map((picture, at) => (
            <li key={picture.key} className="tile" draggable={sent === null} {...dragging(picture.key, at)}>
              <Preview file={picture.file} alt={picture.alt || picture.file.name} />
              <DescribeButton picture={picture} at={at} onPress={() => onDescribe(picture)} />
              {sent === null ? (
                <TileButtons
                  at={at}
                  of={pictures.length}
                  onMove={(by) => moveBy(at, by)}
                  onRemove={() => remove(at)}
                />
              ) : (
                <Progress percent={percentSent(pictures, at, sent)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Attributes of a tile that the mouse moves. */
function useDragging(
  pictures: Picked[],
  move: (from: number, to: number) => void,
  onEnd: (at: number) => void,
) {
  const [dragged, setDragged] = useState<string | null>(null)
  const place = () => pictures.findIndex(({ key }) => key === dragged)
  return (key: string, at: number) => ({
    'data-dragged': dragged === key || undefined,
    onDragStart(event: DragEvent) {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('application/x-engawa-picture', key)
      setDragged(key)
    },
    onDragOver(event: DragEvent) {
      if (!dragged) return
      event.preventDefault()
      if (dragged !== key) move(place(), at)
    },
    onDrop: (event: DragEvent) => dragged && event.preventDefault(),
    onDragEnd() {
      onEnd(place())
      setDragged(null)
    },
  })
}

function DescribeButton({ picture, at, onPress }: { picture: Picked; at: number; onPress: () => void }) {
  const t = useText(composerText)
  const what = t.picture(at + 1)
  return (
    <button
      type="button"
      className="describe-button"
      data-missing={picture.alt ? undefined : ''}
      onClick={onPress}
    >
      <span aria-hidden="true">{picture.alt ? 'ALT ✓' : '+ ALT'}</span>
      <b className="hide">{picture.alt ? t.editAlt(what) : t.addAlt(what)}</b>
    </button>
  )
}

interface TileButtonsProps {
  at: number
  of: number
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}
function TileButtons({ at, of, onMove, onRemove }: TileButtonsProps) {
  const t = useText(composerText)
  const what = t.picture(at + 1)
  const button = (className: string, Drawing: typeof X, label: string, onClick: () => void) => (
    <button type="button" className={`round ${className}`} aria-label={label} onClick={onClick}>
      <span>
        <Icon of={Drawing} size="s" />
      </span>
    </button>
  )
  return (
    <>
      <span className="moves">
        {at > 0 && button('earlier', ChevronLeft, t.moveEarlier(what), () => onMove(-1))}
        {at < of - 1 && button('later', ChevronRight, t.moveLater(what), () => onMove(1))}
      </span>
      {button('away', X, t.remove(what), onRemove)}
    </>
  )
}

export function Preview({ file, alt }: { file: File; alt: string }) {
  const url = useObjectUrl(file)
  return url && <img src={url} alt={alt} lang={langOf(alt)} draggable={false} />
}

/** Percent of one file that has been sent: the files are sent one after another. */
function percentSent(pictures: Picked[], at: number, sent: number) {
  const sizes = pictures.map(({ file }) => file.size)
  const sum = (list: number[]) => list.reduce((all, size) => all + size, 0)
  const share = (sent * sum(sizes) - sum(sizes.slice(0, at))) / Math.max(1, sizes[at]!)
  return Math.round(100 * Math.min(Math.max(0, share), 1))
}

const Progress = ({ percent }: { percent: number }) => (
  <span
    className="progress"
    role="progressbar"
    aria-label={useText(composerText).uploading}
    aria-valuenow={percent}
    aria-valuemin={0}
    aria-valuemax={100}
    style={{ '--done': `${percent}%` } as CSSProperties}
  >
    <i />
  </span>
)
