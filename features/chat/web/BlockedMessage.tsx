import { useMutation } from '@tanstack/react-query'
import { Pictures } from '#features/posts/web/Pictures.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { detectTextLanguage, useText } from '#web/i18n.ts'
import { linkify } from '#web/links.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { blockedMessageEndpoints } from '../blocked-message-contract.ts'
import { blockedMessageText } from './blocked-message-text.ts'
import { chatText } from './text.ts'

/** The note in place of a message of a person whom the member has blocked, with a button that shows it. */
export default function BlockedMessage({ id }: { id: number }) {
  const t = useText(chatText)
  const n = useText(blockedMessageText)
  const explain = useErrorFormatter()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(blockedMessageEndpoints.show, { id }),
  })
  if (!data)
    return (
      <div className="bubble deleted">
        {n.blocked}{' '}
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
          <Pictures images={data.images} isAboveFold={false} width={300} />
        </div>
      )}
      {(data.message || data.deleted_at) && (
        <div
          className={data.deleted_at ? 'bubble deleted' : 'bubble'}
          dir="auto"
          lang={detectTextLanguage(data.message)}
        >
          {data.deleted_at ? t.deleted : linkify(data.message)}
        </div>
      )}
    </>
  )
}
