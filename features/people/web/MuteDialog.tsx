import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import type { Person } from '../contract.ts'
import { muteEndpoints } from '../mute-contract.ts'
import { blockAndMuteText } from './block-text.ts'

interface MuteDialogProps {
  person: Pick<Person, 'id' | 'name'>
  /** Whether the current member has muted the person. If so, the dialog ends the mute. */
  isMuted: boolean
  onClose: () => void
}

/**
 * Renders a dialog that explains what a mute does, and mutes the person, or ends the mute, when the member
 * confirms. Then the dialog opens the list of muted people (or this page again after the end of a mute) with
 * a full page load, because lists in this window may still contain what the person wrote.
 */
export default function MuteDialog({ person: { id, name }, isMuted, onClose }: MuteDialogProps) {
  const t = useText(blockAndMuteText)
  return (
    <ConfirmDialog
      title={isMuted ? t.unmuteTitle(name) : t.muteTitle(name)}
      confirmLabel={isMuted ? t.unmuteConfirm : t.muteConfirm}
      onConfirm={async () => {
        await (isMuted
          ? callEndpoint(muteEndpoints.unmute, { id })
          : callEndpoint(muteEndpoints.mute, { id }))
      }}
      onDone={() => (isMuted ? location.reload() : location.assign('/account#muted'))}
      onClose={onClose}
    >
      {isMuted ? t.unmuteHelp : t.muteHelp}
    </ConfirmDialog>
  )
}
