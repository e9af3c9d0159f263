import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { patchPostInStore, postStore } from '#features/posts/web/post-store.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Reply, replyEndpoints } from '../contract.ts'
import { removeReplyFromStore, replyStore } from './reply-store.ts'
import { repliesText } from './text.ts'

interface DeleteReplyDialogProps {
  reply: Reply
  isOwn: boolean
  onClose: () => void
}

/**
 * Renders the dialog that asks whether to delete a reply, and deletes it. The code of the dialog is loaded
 * when it opens for the first time.
 */
export default function DeleteReplyDialog({ reply, isOwn, onClose }: DeleteReplyDialogProps) {
  const t = useText(repliesText)
  const { run, dialog } = useIdentityConfirmation()
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
    if (isErrorWithStatus(failure, 404)) removeReplyFromStore(post_id, id)
    throw failure
  })

/**
 * Removes the deleted reply from the page, and focuses the next reply, or else the previous reply, or else
 * the field for a new reply.
 */
function removeFromPage({ id, post_id }: Reply) {
  const all = [...document.querySelectorAll<HTMLElement>('article[data-reply]')]
  const at = all.findIndex(({ dataset }) => dataset.reply === String(id))
  const next = all[at + 1] ?? all[at - 1] ?? document.querySelector<HTMLElement>('.reply-composer textarea')
  requestAnimationFrame(() => next?.focus({ preventScroll: true }))
  // Lowers the number of replies to the post only if the reply is still shown. If it is not, the live event
  // came before the response and has already lowered the number.
  const isShown = replyStore
    .get()
    .posts.get(post_id)
    ?.rows.some((reply) => reply.id === id)
  const post = postStore.get().posts.get(post_id)
  if (isShown && post) patchPostInStore(post_id, { replies_count: post.replies_count - 1 })
  removeReplyFromStore(post_id, id)
}
