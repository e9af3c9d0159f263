import { useMutation } from '@tanstack/react-query'
import { chatText } from '#features/conversations/web/text.ts'
import { AttachedPictures } from '#features/posts/web/AttachedPictures.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { LazyLinkedText } from '#web/LazyLinkedText.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { blockedEndpoints, PICTURES_WIDTH } from '../contract.ts'
import type { ShownMessage } from './conversation.ts'
import Files from './Files.tsx'
import { blockedText } from './menu-text.ts'

/** A note in place of a message whose author is blocked or muted, with a button that fetches the message. */
export default function Blocked({ message: { id, is_muted } }: { message: ShownMessage }) {
  const t = useText(chatText)
  const n = useText(blockedText)
  const explain = useErrorText()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(blockedEndpoints.show, { id }),
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
          <AttachedPictures images={data.images} isAboveFold={false} width={PICTURES_WIDTH} />
        </div>
      )}
      {data.files && <Files files={data.files} />}
      {(data.message || data.deleted_at) && (
        <div
          className={data.deleted_at ? 'bubble deleted' : 'bubble'}
          dir="auto"
          lang={detectLanguage(data.message)}
        >
          {data.deleted_at ? t.deleted : <LazyLinkedText>{data.message}</LazyLinkedText>}
        </div>
      )}
    </>
  )
}
