import { useEffect } from 'react'
import { Link } from 'wouter'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { toProfilePath } from '../contract.ts'
import type { TextPart } from '../text-parts-contract.ts'
import { memberIdByHandleStore, requestMemberIdsOfHandles } from './handle-store.ts'

interface MentionLinkProps extends Omit<Extract<TextPart, { kind: 'mention' }>, 'kind'> {
  /** Whether the mention is no link, because the text is part of a link. */
  isInLink?: boolean | undefined
}

/**
 * A mention such as `@aya` in a text. For members it is a link to the profile of the mentioned person, if
 * there is such a person whom the member may see. It is plain text until the server has answered.
 */
export function MentionLink({ text, handles, isInLink }: MentionLinkProps) {
  const isMember = useMe() !== null
  const ids = useStore(memberIdByHandleStore)
  const isUnknown = isMember && handles.some(({ handle }) => !ids.has(handle))
  useEffect(() => {
    if (isUnknown) requestMemberIdsOfHandles(handles.map(({ handle }) => handle))
  }, [isUnknown, handles])
  // While the answer for a handle is missing, it is not known which existing handle is the longest.
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
