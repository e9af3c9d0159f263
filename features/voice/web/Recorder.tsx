import { pressed } from '#web/keyboard.ts'
import './voice.css'
import { Mic, SendHorizontal, Square, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { formatDuration } from '#core/text/format-duration.ts'
import { maxFileMb } from '#web/file-limit.ts'
import { useText } from '#web/i18n.ts'
import { pauseOtherSounds } from '#web/pause-sounds.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import Player, { WaveForm } from './Player.tsx'
import { canRecordVoice, type Recorder, startRecording, type VoiceRecording } from './recording.ts'
import { voiceText } from './text.ts'

const LIVE_BARS = 40
/** In milliseconds. */
const REDRAW_INTERVAL = 100

/** Renders nothing in browsers that cannot record. */
export function RecordButton({ onClick }: { onClick: () => void }) {
  const t = useText(voiceText)
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
  | { phase: 'recording'; recorder: Recorder }
  | { phase: 'recorded'; recording: VoiceRecording; url: string }
  | { phase: 'failed'; reason: 'notAllowed' | 'noMicrophone' | 'notReadable' | 'nothingRecorded' }

function toReason(error: unknown) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'notAllowed'
  return name === 'NotFoundError' ? 'noMicrophone' : 'notReadable'
}

/** Records while the component is there; its removal drops the recording. */
function useVoiceRecorder() {
  const [state, setState] = useState<RecorderState>({ phase: 'asking' })
  useEffect(() => {
    let isGone = false
    let cancel = () => {}
    let url: string | null = null
    async function record() {
      const recorder = await startRecording(maxFileMb * 2 ** 20)
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

interface Props {
  /** Slow mode makes the user wait. */
  isWaiting: boolean
  onSend: (recording: VoiceRecording) => void
  onClose: () => void
}

/** Escape deletes the recording. */
export function RecorderPanel({ isWaiting, onSend, onClose }: Props) {
  const t = useText(voiceText)
  const state = useVoiceRecorder()
  const onKeyDown = (event: KeyboardEvent) => {
    if (pressed(event) !== 'Escape') return
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
        {state.phase === 'recorded' && t.recorded(formatDuration(state.recording.duration))}
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
          <Player src={state.url} duration={state.recording.duration} wave={state.recording.wave} />
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

function RunningRecording({ recorder }: { recorder: Recorder }) {
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
        {formatDuration(recorder.elapsed())}
      </span>
      <WaveForm wave={[...silence, ...levels]} position={1} />
    </>
  )
}
