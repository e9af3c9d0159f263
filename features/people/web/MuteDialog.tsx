import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import type { Person } from '../contract.ts'
import { muteEndpoints } from '../mute-contract.ts'
import { blockAndMuteText } from './block-text.ts'

interface MuteDialogProps {
  person: Pick<Person, 'id' | 'name'>
  /** Whether the reader has muted the person. The dialog then ends the mute. */
  isMuted: boolean
  onClose: () => void
}

/**
 * Says what a mute does, and makes or ends it. Then loads the page again as a new document, because lists in
 * this window may still have what the person wrote.
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
