import { useState } from 'react'
import { type Person, toSmallAvatarPath } from '#features/people/contract.ts'
import { detectLanguageOfUserText } from '#web/i18n.ts'

type Size = 'xs' | 's' | 'm' | 'l' | 'xl'
interface AvatarProps {
  /** The person or group of the avatar; null draws an empty avatar. */
  person: Person | null
  size?: Size
  /** Whether the avatar is that of a group. Its corners are less rounded than those of a person's avatar. */
  group?: boolean
}

/**
 * Matches the first letter of a name in Latin, kana or kanji letters, as most names are. Only other names
 * need Intl.Segmenter, for which the browser loads a dictionary.
 */
const simpleInitial = /^[A-Za-z\u00c0-\u024f\u3041-\u30ff\u4e00-\u9fff](?![\p{M}\u200d])/u
let segmenter: Intl.Segmenter | undefined
const initialOf = (name: string) => {
  const simple = simpleInitial.exec(name)?.[0]
  if (simple) return simple
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(name)[Symbol.iterator]().next().value?.segment ?? ''
}
export const toAvatarBackgroundStyle = (id: number) => ({ background: `var(--avatar-${1 + (id % 8)})` })

/**
 * Renders the picture of a person or group; without a picture, the first letter of the name on a colour.
 * Screen readers skip the avatar, so the name must stand beside it.
 */
export function Avatar({ person, size = 'm', group }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!person) return <span className={`avatar ${size} no-person`} aria-hidden="true" />
  const { id, name, profile_image: picture } = person
  if (!picture || picture === broken)
    return (
      <span
        className={group ? `avatar group ${size}` : `avatar ${size}`}
        style={toAvatarBackgroundStyle(id)}
        lang={detectLanguageOfUserText(name)}
        aria-hidden="true"
      >
        {initialOf(name)}
      </span>
    )
  const src = size === 'l' || size === 'xl' ? picture : toSmallAvatarPath(picture)
  return (
    <span className={group ? `avatar group ${size}` : `avatar ${size}`}>
      <img src={src} alt="" width={112} height={112} decoding="async" onError={() => setBroken(picture)} />
    </span>
  )
}
