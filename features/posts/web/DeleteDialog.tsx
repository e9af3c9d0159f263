import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Post, postEndpoints } from '../contract.ts'
import { deletePostText } from './menu-text.ts'
import * as store from './post-store.ts'

interface Props {
  post: Post
  isOwn: boolean
  onClose: () => void
}

export default function DeleteDialog({ post, isOwn, onClose }: Props) {
  const t = useText(deletePostText)
  const { run, dialog } = useConfirmation()
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
    if (hasStatus(failure, 404)) store.remove(id)
    throw failure
  })

/** Focuses the next post, or else the previous post, or else the title of the page. */
function removeFromPage({ id }: Post, { message }: DeleteAnswer) {
  const all = [...document.querySelectorAll<HTMLElement>('article[data-post]')]
  const at = all.findIndex(({ dataset }) => dataset.post === String(id))
  const next = all[at + 1] ?? all[at - 1] ?? document.querySelector<HTMLElement>('#main h1')
  requestAnimationFrame(() => next?.focus({ preventScroll: true }))
  store.remove(id)
  showToast(message)
}
