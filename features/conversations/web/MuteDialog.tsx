import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type MuteDuration, muteChoices, muteEndpoints } from '../contract.ts'
import { muteText } from './mute-text.ts'
import type { ConversationRef } from './state.ts'
import * as chatState from './state.ts'

const endpoints = {
  private: {
    mute: muteEndpoints.mutePrivate,
    unmute: muteEndpoints.unmutePrivate,
  },
  groups: {
    mute: muteEndpoints.muteGroup,
    unmute: muteEndpoints.unmuteGroup,
  },
}

interface Props {
  conversation: ConversationRef
  isMuted: boolean
  onClose: () => void
}

export default function MuteDialog(props: Props) {
  const { conversation, isMuted, onClose } = props
  const t = useText(muteText)
  const explain = useErrorText()
  const [chosen, setChosen] = useState<MuteDuration>('hour')
  const { kind, id } = conversation
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const time_zone = dates.timeZone()
      return isMuted
        ? callEndpoint(endpoints[kind].unmute, { id })
        : callEndpoint(endpoints[kind].mute, { id, for: chosen, time_zone })
    },
    onSuccess: ({ muted_until }) => {
      chatState.setMute(conversation, muted_until)
      onClose()
      // The response decides, because the live event may have changed `isMuted` before it arrived.
      showToast(muted_until === null ? t.unmuted : t.muted)
    },
    onError: (error) => hasStatus(error, 401) && showLogInToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <Dialog open title={isMuted ? t.unmuteTitle : t.muteTitle} onClose={onClose} className="confirm">
      <form onSubmit={submit}>
        <p>{isMuted ? t.unmuteHelp : t.muteHelp}</p>
        {!isMuted && (
          <RadioGroup
            label={t.howLong}
            choices={muteChoices.map((value) => ({ value, label: t.choices[value] }))}
            inputProps={(value) => ({
              checked: chosen === value,
              onChange: () => setChosen(value),
            })}
          />
        )}
        {error && <Notice kind="error">{explain(error)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {isMuted ? t.unmute : t.mute}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
