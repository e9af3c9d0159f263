import './voice.css'
import { Mic, SendHorizontal, Square, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { maxMessageFileMb } from '#web/file-limit.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { pauseOtherSounds } from './pause-sounds.ts'
import VoicePlayer, { formatMillisecondsAsMinutesAndSeconds, VoiceWaveForm } from './VoicePlayer.tsx'
import {
  canRecordVoice,
  type RunningVoiceRecordingControls,
  startVoiceRecording,
  type VoiceRecording,
} from './voice-recording.ts'
import { voiceMessageUiText } from './voice-text.ts'

/** The number of bars that show the loudness of the last seconds of a running recording. */
const LIVE_BARS = 40
/** The time between two renderings of a running recording, in milliseconds. */
const REDRAW_INTERVAL = 100

/** Renders the button that opens the voice recorder. Renders nothing in browsers that cannot record. */
export function OpenVoiceRecorderButton({ onClick }: { onClick: () => void }) {
  const t = useText(voiceMessageUiText)
  if (!canRecordVoice()) return null
  return (
    <Button
      data-voice=""
      kind="ghost"
      iconOnly
      icon={Mic}
      label={t.record}
      title={t.record}
      onClick={onClick}
    />
  )
}

type RecorderState =
  | { phase: 'asking' }
  | { phase: 'recording'; recorder: RunningVoiceRecordingControls }
  | { phase: 'recorded'; recording: VoiceRecording; url: string }
  | { phase: 'failed'; reason: 'notAllowed' | 'noMicrophone' | 'notReadable' | 'nothingRecorded' }

/** Returns the reason why the microphone cannot be used, from the error of the request for it. */
function toReason(error: unknown) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'notAllowed'
  return name === 'NotFoundError' ? 'noMicrophone' : 'notReadable'
}

/**
 * Begins a voice recording when the component appears, and drops it when the component disappears. Returns
 * the state of the recording.
 */
function useVoiceRecorder() {
  const [state, setState] = useState<RecorderState>({ phase: 'asking' })
  useEffect(() => {
    let isGone = false
    let cancel = () => {}
    let url: string | null = null
    async function record() {
      const recorder = await startVoiceRecording(maxMessageFileMb * 2 ** 20)
      if (isGone) return recorder.cancel()
      cancel = recorder.cancel
      pauseOtherSounds()
      setState({ phase: 'recording', recorder })
      const recording = await recorder.finished
      if (isGone) return
      if (!recording) return setState({ phase: 'failed', reason: 'nothingRecorded' })
      url = URL.createObjectURL(recording.file)
      setState({ phase: 'recorded', recording, url })
    }
    record().catch((error: unknown) => {
      if (!isGone) setState({ phase: 'failed', reason: toReason(error) })
    })
    return () => {
      isGone = true
      cancel()
      if (url) URL.revokeObjectURL(url)
    }
  }, [])
  return state
}

interface VoiceRecorderPanelProps {
  /** Whether slow mode makes the user wait before the next message can be sent. */
  isWaiting: boolean
  onSend: (recording: VoiceRecording) => void
  onClose: () => void
}

/**
 * Renders the recorder, which records a voice message, plays it to its author, and then sends or deletes it.
 * Escape deletes the recording.
 */
export function VoiceRecorderPanel({ isWaiting, onSend, onClose }: VoiceRecorderPanelProps) {
  const t = useText(voiceMessageUiText)
  const state = useVoiceRecorder()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  const discard = (
    <Button kind="ghost" iconOnly icon={Trash2} label={t.discard} title={t.discard} onClick={onClose} />
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would put a border around the recorder
    <div className="voice-recorder" role="group" aria-label={t.recorder} onKeyDown={onKeyDown}>
      <p className="visually-hidden" role="status">
        {state.phase === 'asking' && t.asking}
        {state.phase === 'recording' && t.recording}
        {state.phase === 'recorded' &&
          t.recorded(formatMillisecondsAsMinutesAndSeconds(state.recording.duration))}
      </p>
      {state.phase === 'asking' && (
        <div className="recording">
          {discard}
          <span className="asking">{t.asking}</span>
        </div>
      )}
      {state.phase === 'recording' && (
        <div className="recording">
          {discard}
          <RunningRecording recorder={state.recorder} />
          <Button kind="primary" icon={Square} ref={focusWhenShown} onClick={state.recorder.stop}>
            {t.stop}
          </Button>
        </div>
      )}
      {state.phase === 'recorded' && (
        <div className="recording">
          {discard}
          <VoicePlayer src={state.url} duration={state.recording.duration} wave={state.recording.wave} />
          <Button
            kind="primary"
            icon={SendHorizontal}
            ref={focusWhenShown}
            disabled={isWaiting}
            onClick={() => onSend(state.recording)}
          >
            {t.send}
          </Button>
        </div>
      )}
      {state.phase === 'failed' && (
        <div className="recording">
          <Notice kind="error">{t[state.reason]}</Notice>
          <Button
            kind="ghost"
            iconOnly
            icon={X}
            label={t.close}
            title={t.close}
            ref={focusWhenShown}
            onClick={onClose}
          />
        </div>
      )}
    </div>
  )
}

const focusWhenShown = (element: HTMLElement | null) => element?.focus()

/** Renders the elapsed time of a running recording, and the loudness of its last seconds. */
function RunningRecording({ recorder }: { recorder: RunningVoiceRecordingControls }) {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), REDRAW_INTERVAL)
    return () => clearInterval(timer)
  }, [])
  const levels = recorder.latestLevels(LIVE_BARS)
  const silence = Array<number>(Math.max(0, LIVE_BARS - levels.length)).fill(0)
  return (
    <>
      <span className="time" role="timer">
        {formatMillisecondsAsMinutesAndSeconds(recorder.elapsed())}
      </span>
      <VoiceWaveForm wave={[...silence, ...levels]} position={1} />
    </>
  )
}
