import { useState } from 'react'
import { type Person, smallImage } from '#features/people/contract.ts'
import { langOf } from '#web/i18n.ts'

type Size = 'xs' | 's' | 'm' | 'l' | 'xl'
interface AvatarProps {
  /** null draws an empty place. */
  person: Person | null
  size?: Size
  /** Draws the square corners of a group. */
  group?: boolean
}

/** Finds the first letter of most names. For the others, Intl.Segmenter makes browsers load a dictionary. */
const simple = /^[A-Za-z\u00c0-\u024f\u3041-\u30ff\u4e00-\u9fff](?![\p{M}\u200d])/u
const initialOf = (name: string) =>
  simple.exec(name)?.[0] ?? new Intl.Segmenter().segment(name)[Symbol.iterator]().next().value?.segment ?? ''
const dyeOf = (id: number) => 1 + (id % 8)

/** A person's picture, or their first letter on a colour. The name is always beside it. */
export function Avatar({ person, size = 'm', group }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!person) return <span className={`avatar ${size} free`} aria-hidden="true" />
  const { id, name, profile_image: picture } = person
  if (!picture || picture === broken)
    return (
      <span
        className={group ? `avatar group ${size}` : `avatar ${size}`}
        data-dye={dyeOf(id)}
        lang={langOf(name)}
        aria-hidden="true"
      >
        {initialOf(name)}
      </span>
    )
  const src = size === 'l' || size === 'xl' ? picture : smallImage(picture)
  return (
    <span className={`avatar ${size}`}>
      <img src={src} alt="" width={112} height={112} decoding="async" onError={() => setBroken(picture)} />
    </span>
  )
}
