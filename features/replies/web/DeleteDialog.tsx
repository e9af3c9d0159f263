import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import * as postStore from '#features/posts/web/post-store.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Reply, replyEndpoints } from '../contract.ts'
import * as store from './reply-store.ts'
import { repliesText } from './text.ts'

interface Props {
  reply: Reply
  isOwn: boolean
  onClose: () => void
}

export default function DeleteDialog({ reply, isOwn, onClose }: Props) {
  const t = useText(repliesText)
  const { run, dialog } = useConfirmation()
  return (
    <ConfirmDialog
      title={isOwn ? t.deleteAsk : t.deleteAskOf(reply.user.name)}
      confirmLabel={t.remove}
      isDestructive
      onConfirm={() => run(() => remove(reply))}
      onDone={({ message }) => {
        removeFromPage(reply)
        showToast(message)
      }}
      onClose={onClose}
    >
      {t.deleteHelp}
      {dialog}
    </ConfirmDialog>
  )
}

const remove = ({ id, post_id }: Reply) =>
  callEndpoint(replyEndpoints.remove, { id }).catch((failure: unknown) => {
    if (hasStatus(failure, 404)) store.remove(post_id, id)
    throw failure
  })

/** Focuses the next reply, or else the previous reply, or else the field for a new reply. */
function removeFromPage({ id, post_id }: Reply) {
  const all = [...document.querySelectorAll<HTMLElement>('article[data-reply]')]
  const at = all.findIndex(({ dataset }) => dataset.reply === String(id))
  const next = all[at + 1] ?? all[at - 1] ?? document.querySelector<HTMLElement>('.reply-composer textarea')
  requestAnimationFrame(() => next?.focus({ preventScroll: true }))
  // If it is no longer shown, the live event came before the response and has lowered the number.
  const isShown = store.state
    .get()
    .posts.get(post_id)
    ?.rows.some((reply) => reply.id === id)
  const post = postStore.state.get().posts.get(post_id)
  if (isShown && post) postStore.patch(post_id, { replies_count: post.replies_count - 1 })
  store.remove(post_id, id)
}
