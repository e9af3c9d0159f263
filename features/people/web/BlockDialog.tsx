import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { blockEndpoints, type Person } from '../contract.ts'
import { blockText } from './block-text.ts'

/**
 * Opens the list of blocked people with a full page load, so that this window keeps no data of the person.
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
