import { memo, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { rowAttributes, useFarRowHeight } from '#web/useFarRowHeight.ts'
import type { AlbumPicture } from '../contract.ts'
import type { Sort } from './pictures.ts'
import { albumText } from './text.ts'

/** Divisible by the numbers of columns in albums.css. */
const CHUNK = 60
const SIZES = '(width < 45em) 33vw, 190px'

interface Section {
  /** Empty without a heading. */
  month: string
  chunks: { first: number; rows: readonly AlbumPicture[] }[]
}

function toSections(rows: readonly AlbumPicture[], monthOf: (row: AlbumPicture) => string) {
  const sections: Section[] = []
  for (const [index, row] of rows.entries()) {
    const month = monthOf(row)
    if (sections.at(-1)?.month !== month) sections.push({ month, chunks: [] })
    const { chunks } = sections.at(-1)!
    if (!chunks.length || chunks.at(-1)!.rows.length === CHUNK) chunks.push({ first: index, rows: [] })
    ;(chunks.at(-1)!.rows as AlbumPicture[]).push(row)
  }
  return sections
}

interface GridProps {
  rows: readonly AlbumPicture[]
  sort: Sort
  onOpen: (index: number) => void
  end: ReactNode
}

export function Grid({ rows, sort, onOpen, end }: GridProps) {
  const lang = useLang()
  const months = new Map<string, string>()
  const monthOf = ({ taken_at }: AlbumPicture) => {
    if (sort === 'added') return ''
    const key = taken_at.slice(0, 13)
    const known = months.get(key) ?? dates.month(taken_at, lang)
    months.set(key, known)
    return known
  }
  const open = useEffectEvent(onOpen)
  const stable = useRef((index: number) => open(index))
  return (
    <div className="album-grid">
      {toSections(rows, monthOf).map(({ month, chunks }) => (
        <section key={month} aria-label={month || undefined}>
          {month && <h2>{month}</h2>}
          {chunks.map(({ first, rows: own }) => (
            <Chunk key={own[0]!.id} first={first} rows={own} onOpen={stable.current} />
          ))}
        </section>
      ))}
      {end}
    </div>
  )
}

interface ChunkProps {
  first: number
  rows: readonly AlbumPicture[]
  onOpen: (index: number) => void
}

const isSame = (a: ChunkProps, b: ChunkProps) =>
  a.first === b.first &&
  a.rows.length === b.rows.length &&
  a.rows.every((row, at) => row.id === b.rows[at]!.id)

const Chunk = memo(function Chunk({ first, rows, onOpen }: ChunkProps) {
  const t = useText(albumText)
  const lang = useLang()
  const ref = useRef<HTMLUListElement>(null)
  const [farHeight] = useFarRowHeight(ref)
  const style = { '--count': rows.length }
  return (
    <ul ref={ref} className="album-chunk" {...rowAttributes(farHeight, style)}>
      {farHeight === null &&
        rows.map(({ id, user, image, taken_at }, at) => (
          <li key={id}>
            <button
              type="button"
              data-picture={id}
              aria-label={`${t.open(first + at + 1, user.name)}, ${dates.long(taken_at, lang)}`}
              onClick={() => onOpen(first + at)}
            >
              <img
                src={image.path}
                srcSet={image.srcset || undefined}
                sizes={SIZES}
                alt=""
                loading="lazy"
                decoding="async"
              />
            </button>
          </li>
        ))}
    </ul>
  )
}, isSame)

/** Loads the next page shortly before the reader gets there. */
export function ListEnd({ onNear }: { onNear: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), {
      rootMargin: '1500px 0px',
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [])
  return <div ref={ref} />
}
