import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { blockEndpoints } from '../block-contract.ts'
import type { Person } from '../contract.ts'
import { blockText } from './block-text.ts'

/**
 * Says what a block does, and makes it. Then opens the list of blocked people as a new document, so that no
 * data of the person stays in this window.
 */
export default function BlockDialog({
  person,
  onClose,
}: {
  person: Pick<Person, 'id' | 'name'>
  onClose: () => void
}) {
  const t = useText(blockText)
  return (
    <ConfirmDialog
      title={t.blockTitle(person.name)}
      confirmLabel={t.blockConfirm}
      isDestructive
      onConfirm={() => callEndpoint(blockEndpoints.block, { id: person.id })}
      onDone={() => location.assign('/account#blocked')}
      onClose={onClose}
    >
      {t.blockHelp}
    </ConfirmDialog>
  )
}
