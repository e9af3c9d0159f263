import { useEffect } from 'react'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { Link } from '#web/ui/Link.tsx'
import { profilePath } from '../contract.ts'
import type { TextPart } from '../text-parts-contract.ts'
import { handleStore, loadHandles } from './handle-store.ts'

interface Props extends Omit<Extract<TextPart, { kind: 'mention' }>, 'kind'> {
  /** Whether the text is already part of a link. */
  isInLink?: boolean | undefined
}

/**
 * For members a link to the profile, if there is such a person whom they may see. Plain text until the server
 * has answered.
 */
export function MentionLink({ text, handles, isInLink }: Props) {
  const isMember = useMe() !== null
  const ids = useStore(handleStore)
  const isUnknown = isMember && handles.some(({ handle }) => !ids.has(handle))
  useEffect(() => {
    if (isUnknown) loadHandles(handles.map(({ handle }) => handle))
  }, [isUnknown, handles])
  // All possible handles must be known: an unknown one may be the longest that exists.
  const found = isMember && !isUnknown && handles.find(({ handle }) => ids.get(handle))
  if (!found) return text
  return (
    <>
      {isInLink ? (
        <span className="mention">{found.text}</span>
      ) : (
        <Link className="mention" href={profilePath({ id: ids.get(found.handle)! })}>
          {found.text}
        </Link>
      )}
      {text.slice(found.text.length)}
    </>
  )
}
