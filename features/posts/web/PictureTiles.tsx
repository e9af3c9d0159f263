import './composer.css'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type CSSProperties, type DragEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { langOf, useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { composerText } from './composer-text.ts'
import type { Picked } from './draft.ts'

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
  const [dragged, setDragged] = useState<string | null>(null)
  const [news, setNews] = useState('')
  const placeOf = (key: string | null) => pictures.findIndex((picture) => picture.key === key)
  const tell = (at: number) => setNews(t.moved(at + 1, pictures.length))
  const button = (at: number, what: string) => list.current?.children[at]?.querySelector<HTMLElement>(what)

  const move = (from: number, to: number) => {
    const rest = pictures.toSpliced(from, 1)
    flushSync(() => onChange(rest.toSpliced(to, 0, pictures[from]!)))
  }
  const press = (from: number, by: -1 | 1) => {
    const to = from + by
    move(from, to)
    tell(to)
    // The first and the last picture lack one of the two buttons.
    const pressed = by < 0 ? '.earlier' : '.later'
    ;(button(to, pressed) ?? button(to, '.earlier, .later'))?.focus()
  }
  const remove = (at: number) => {
    flushSync(() => onChange(pictures.toSpliced(at, 1)))
    setNews(t.removed)
    const next = button(Math.min(at, pictures.length - 2), '.away')
    if (next) next.focus()
    else onEmpty()
  }
  const drag = (key: string, at: number) => ({
    draggable: sent === null,
    'data-dragged': dragged === key || undefined,
    onDragStart(event: DragEvent) {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('application/x-engawa-picture', key)
      setDragged(key)
    },
    onDragOver(event: DragEvent) {
      if (!dragged) return
      event.preventDefault()
      if (dragged !== key) move(placeOf(dragged), at)
    },
    onDrop: (event: DragEvent) => dragged && event.preventDefault(),
    onDragEnd() {
      tell(placeOf(dragged))
      setDragged(null)
    },
  })

  return (
    <>
      <p className="hide" role="status">
        {news}
      </p>
      {pictures.length > 0 && (
        <ul className="tiles" aria-label={t.chosen} ref={list}>
          {pictures.map((picture, at) => {
            const what = t.picture(at + 1)
            return (
              <li key={picture.key} className="tile" {...drag(picture.key, at)}>
                <Preview file={picture.file} alt={picture.alt || picture.file.name} />
                <button
                  type="button"
                  className="say"
                  data-missing={picture.alt ? undefined : ''}
                  onClick={() => onDescribe(picture)}
                >
                  <span aria-hidden="true">{picture.alt ? 'ALT ✓' : '+ ALT'}</span>
                  <b className="hide">{picture.alt ? t.editAlt(what) : t.addAlt(what)}</b>
                </button>
                {sent !== null && <Progress done={doneOf(pictures, at, sent)} label={t.uploading} />}
                {sent === null && (
                  <>
                    <span className="moves">
                      {at > 0 && (
                        <Round
                          className="earlier"
                          icon={ChevronLeft}
                          label={t.moveEarlier(what)}
                          onPress={() => press(at, -1)}
                        />
                      )}
                      {at < pictures.length - 1 && (
                        <Round
                          className="later"
                          icon={ChevronRight}
                          label={t.moveLater(what)}
                          onPress={() => press(at, 1)}
                        />
                      )}
                    </span>
                    <Round className="away" icon={X} label={t.remove(what)} onPress={() => remove(at)} />
                  </>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

type RoundProps = { className: string; icon: typeof X; label: string; onPress: () => void }
const Round = ({ className, icon, label, onPress }: RoundProps) => (
  <button type="button" className={`round ${className}`} aria-label={label} onClick={onPress}>
    <span>
      <Icon of={icon} size="s" />
    </span>
  </button>
)

export function Preview({ file, alt }: { file: File; alt: string }) {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url && <img src={url} alt={alt} lang={langOf(alt)} draggable={false} />
}

/** Percent of one file that has been sent: the files are sent one after another. */
function doneOf(pictures: Picked[], at: number, sent: number) {
  const sizes = pictures.map(({ file }) => file.size)
  const sum = (list: number[]) => list.reduce((all, size) => all + size, 0)
  const done = (sent * sum(sizes) - sum(sizes.slice(0, at))) / Math.max(1, sizes[at]!)
  return Math.round(100 * Math.min(Math.max(0, done), 1))
}

const Progress = ({ done, label }: { done: number; label: string }) => (
  <span
    className="bar-up"
    role="progressbar"
    aria-label={label}
    aria-valuenow={done}
    aria-valuemin={0}
    aria-valuemax={100}
    style={{ '--done': `${done}%` } as CSSProperties}
  >
    <i />
  </span>
)
