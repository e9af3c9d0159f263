import { useMutation } from '@tanstack/react-query'
import { AttachedPictures } from '#features/posts/web/AttachedPictures.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { LazyTextWithLinksMentionsAndTags } from '#web/LazyTextWithLinksMentionsAndTags.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { blockedOrMutedAuthorMessageEndpoints } from '../blocked-message-contract.ts'
import { MESSAGE_PICTURES_WIDTH } from '../message-picture-contract.ts'
import { blockedOrMutedAuthorMessageText } from './blocked-message-text.ts'
import type { ShownMessage } from './conversation.ts'
import MessageFiles from './MessageFiles.tsx'
import { chatText } from './text.ts'

/**
 * Renders a note in place of a message whose author the member has blocked or muted, with a button that
 * fetches the message and shows it.
 */
export default function BlockedOrMutedAuthorMessage({
  message: { id, is_muted },
}: {
  message: ShownMessage
}) {
  const t = useText(chatText)
  const n = useText(blockedOrMutedAuthorMessageText)
  const explain = useErrorFormatter()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(blockedOrMutedAuthorMessageEndpoints.show, { id }),
  })
  if (!data)
    return (
      <div className="bubble deleted">
        {is_muted ? n.muted : n.blocked}{' '}
        <button
          type="button"
          className="link"
          aria-busy={isPending || undefined}
          onClick={() => !isPending && mutate()}
        >
          {n.show}
        </button>
        {error && <span role="alert"> {explain(error)}</span>}
      </div>
    )
  return (
    <>
      <UserText className="text-meta">{data.user.name}</UserText>
      {data.images.length > 0 && (
        <div className="bubble picture">
          <AttachedPictures images={data.images} isAboveFold={false} width={MESSAGE_PICTURES_WIDTH} />
        </div>
      )}
      {data.files && <MessageFiles files={data.files} />}
      {(data.message || data.deleted_at) && (
        <div
          className={data.deleted_at ? 'bubble deleted' : 'bubble'}
          dir="auto"
          lang={detectLanguageOfUserText(data.message)}
        >
          {data.deleted_at ? (
            t.deleted
          ) : (
            <LazyTextWithLinksMentionsAndTags>{data.message}</LazyTextWithLinksMentionsAndTags>
          )}
        </div>
      )}
    </>
  )
}
