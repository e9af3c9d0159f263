import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Post, postEndpoints } from '../contract.ts'
import { deletePostDialogText } from './delete-post-text.ts'
import { removeDeletedPostFromStore } from './post-store.ts'

interface DeletePostDialogProps {
  post: Post
  isOwn: boolean
  onClose: () => void
}

/**
 * Renders the dialog that asks whether to delete a post, and deletes it. The code of the dialog is loaded
 * when it opens for the first time.
 */
export default function DeletePostDialog({ post, isOwn, onClose }: DeletePostDialogProps) {
  const t = useText(deletePostDialogText)
  const { run, dialog } = useIdentityConfirmation()
  return (
    <ConfirmDialog
      title={isOwn ? t.deleteAsk : t.deleteAskOf(post.user.name)}
      confirmLabel={t.deletePost}
      isDestructive
      onConfirm={() => run(() => remove(post))}
      onDone={(deleted) => removeFromPage(post, deleted)}
      onClose={onClose}
    >
      {t.deleteHelp}
      {dialog}
    </ConfirmDialog>
  )
}

type DeleteAnswer = Awaited<ReturnType<typeof remove>>

const remove = ({ id }: Post) =>
  callEndpoint(postEndpoints.remove, { id }).catch((failure: unknown) => {
    if (isErrorWithStatus(failure, 404)) removeDeletedPostFromStore(id)
    throw failure
  })

/**
 * Removes the deleted post from the page, and focuses the next post, or else the previous post, or else the
 * title of the page.
 */
function removeFromPage({ id }: Post, { message }: DeleteAnswer) {
  const all = [...document.querySelectorAll<HTMLElement>('article[data-post]')]
  const at = all.findIndex(({ dataset }) => dataset.post === String(id))
  const next = all[at + 1] ?? all[at - 1] ?? document.querySelector<HTMLElement>('#main h1')
  requestAnimationFrame(() => next?.focus({ preventScroll: true }))
  removeDeletedPostFromStore(id)
  showToast(message)
}
