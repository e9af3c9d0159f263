import { useState } from 'react'
import { type Person, smallAvatarPath } from '#features/people/contract.ts'
import { detectLanguage } from '#web/i18n.ts'

type Size = 'xs' | 's' | 'm' | 'l' | 'xl'
interface AvatarProps {
  /** Null draws an empty avatar. */
  person: Person | null
  size?: Size
  /** Its corners are less rounded than those of a person. */
  group?: boolean
}

/** Most names begin with a simple letter. Only others need Intl.Segmenter, which loads a dictionary. */
const simpleInitial = /^[A-Za-z\u00c0-\u024f\u3041-\u30ff\u4e00-\u9fff](?![\p{M}\u200d])/u
let segmenter: Intl.Segmenter | undefined
const initialOf = (name: string) => {
  const simple = simpleInitial.exec(name)?.[0]
  if (simple) return simple
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(name)[Symbol.iterator]().next().value?.segment ?? ''
}
export const avatarStyle = (id: number) => ({ background: `var(--avatar-${1 + (id % 8)})` })

/** Screen readers skip it, so the name must stand beside it. */
export function Avatar({ person, size = 'm', group }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!person) return <span className={`avatar ${size} no-person`} aria-hidden="true" />
  const { id, name, profile_image: picture } = person
  if (!picture || picture === broken)
    return (
      <span
        className={group ? `avatar group ${size}` : `avatar ${size}`}
        style={avatarStyle(id)}
        lang={detectLanguage(name)}
        aria-hidden="true"
      >
        {initialOf(name)}
      </span>
    )
  const src = size === 'l' || size === 'xl' ? picture : smallAvatarPath(picture)
  return (
    <span className={group ? `avatar group ${size}` : `avatar ${size}`}>
      <img src={src} alt="" width={112} height={112} decoding="async" onError={() => setBroken(picture)} />
    </span>
  )
}
