import { useEffect } from 'react'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { Link } from '#web/ui/Link.tsx'
import { toProfilePath } from '../contract.ts'
import type { TextPart } from '../text-parts-contract.ts'
import { loadMemberIdsOfHandlesIntoStore, memberIdByHandleStore } from './handle-store.ts'

interface MentionLinkProps extends Omit<Extract<TextPart, { kind: 'mention' }>, 'kind'> {
  /**
   * Whether the text with the mention is already part of a link, so that the mention must not be a link
   * itself.
   */
  isInLink?: boolean | undefined
}

/**
 * Renders a mention such as `@aya` in a text. For members the mention is a link to the profile of the
 * mentioned person, if there is such a person whom the member may see. The mention is plain text until the
 * server has answered.
 */
export function MentionLink({ text, handles, isInLink }: MentionLinkProps) {
  const isMember = useMe() !== null
  const ids = useStore(memberIdByHandleStore)
  const isUnknown = isMember && handles.some(({ handle }) => !ids.has(handle))
  useEffect(() => {
    if (isUnknown) loadMemberIdsOfHandlesIntoStore(handles.map(({ handle }) => handle))
  }, [isUnknown, handles])
  // Waits until the ids of all possible handles are known, because an unknown handle may be the longest one
  // that exists.
  const found = isMember && !isUnknown && handles.find(({ handle }) => ids.get(handle))
  if (!found) return text
  return (
    <>
      {isInLink ? (
        <span className="mention">{found.text}</span>
      ) : (
        <Link className="mention" href={toProfilePath({ id: ids.get(found.handle)! })}>
          {found.text}
        </Link>
      )}
      {text.slice(found.text.length)}
    </>
  )
}
