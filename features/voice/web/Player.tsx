import './voice.css'
import { Download, Pause, Play } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { formatDuration } from '#core/text/format-duration.ts'
import { useText } from '#web/i18n.ts'
import { pauseOtherSounds } from '#web/pause-sounds.ts'
import { createStore, useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { voiceText } from './text.ts'

// Loaded with the first voice message that is shown, or with the recorder.

const speeds = [1, 1.5, 2]
/** All voice players of this window share it. */
const speed = createStore(1)
/** So many presses of an arrow key lead from the beginning to the end. */
const SEEK_STEPS = 50

/** The bars before `position` (from 0 to 1) look played. */
export const WaveForm = ({ wave, position = 0 }: { wave: readonly number[]; position?: number }) => (
  <span className="wave" aria-hidden="true">
    {wave.map((level, index) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is only known by its place
        key={index}
        data-played={(index + 0.5) / wave.length < position || undefined}
        style={{ blockSize: `${level}%` }}
      />
    ))}
  </span>
)

interface Props {
  src: string
  /** In milliseconds, measured during the recording: the files of some browsers do not contain it. */
  duration: number
  wave: readonly number[]
  /** Absent for a recording that is not sent yet, which has no download link. */
  fileName?: string
  /** Buttons after those of the player. */
  children?: ReactNode
}

export default function Player({ src, duration, wave, fileName, children }: Props) {
  const t = useText(voiceText)
  const { audio, isPlaying, position, hasFailed, toggle, seek, handlers } = usePlayback(duration)
  const total = formatDuration(duration)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would put a border and a legend around a player
    <div className="voice-player" role="group" aria-label={t.player(total)}>
      <audio ref={audio} src={src} preload="none" {...handlers} />
      <Button
        kind="ghost"
        iconOnly
        className="play"
        icon={isPlaying ? Pause : Play}
        label={isPlaying ? t.pause : t.play}
        onClick={toggle}
      />
      <span className="track">
        <WaveForm wave={wave} position={position / duration} />
        <input
          type="range"
          aria-label={t.position}
          aria-valuetext={t.positionOf(formatDuration(position), total)}
          min={0}
          max={duration}
          step={duration / SEEK_STEPS}
          value={position}
          onChange={(event) => seek(event.target.valueAsNumber)}
        />
      </span>
      <span className="time">{formatDuration(isPlaying || position ? position : duration)}</span>
      <SpeedButton />
      {fileName !== undefined && (
        <a
          className="button ghost icon-only"
          href={src}
          download={fileName}
          aria-label={t.download}
          title={t.download}
        >
          <Icon icon={Download} />
        </a>
      )}
      {children}
      {hasFailed && (
        <p className="voice-error" role="alert">
          {t.notPlayable}
        </p>
      )}
    </div>
  )
}

function SpeedButton() {
  const t = useText(voiceText)
  const factor = useStore(speed)
  const next = speeds[(speeds.indexOf(factor) + 1) % speeds.length]!
  const change = () => {
    speed.set(next)
    for (const audio of document.querySelectorAll<HTMLAudioElement>('.voice-player audio'))
      audio.playbackRate = next
  }
  return (
    <button
      type="button"
      className="button ghost small speed"
      aria-label={t.speed(`${factor}×`)}
      title={t.speed(`${factor}×`)}
      onClick={change}
    >
      {factor}×
    </button>
  )
}

/** Times are in milliseconds. */
function usePlayback(duration: number) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const [position, setPosition] = useState(0)
  const [hasFailed, setHasFailed] = useState(false)
  /** In seconds: the position that the user chose before the sound file had loaded. */
  const wanted = useRef<number | null>(null)

  function toggle() {
    const element = audio.current!
    if (!element.paused) return element.pause()
    setHasFailed(false)
    // It rejects if the file is missing or of an unknown format; with AbortError after an early pause.
    element.play().catch((error: DOMException) => setHasFailed(error.name !== 'AbortError'))
  }
  function seek(milliseconds: number) {
    setPosition(milliseconds)
    const element = audio.current!
    if (element.readyState) element.currentTime = milliseconds / 1000
    else wanted.current = milliseconds / 1000
  }
  const handlers = {
    onPlay() {
      pauseOtherSounds(audio.current!)
      audio.current!.playbackRate = speed.get()
      setIsPlaying(true)
    },
    onPause: () => setIsPlaying(false),
    onLoadedMetadata() {
      if (wanted.current !== null) audio.current!.currentTime = wanted.current
      wanted.current = null
    },
    onTimeUpdate: () => setPosition(Math.min(duration, audio.current!.currentTime * 1000)),
    onEnded: () => setPosition(0),
  }
  return { audio, isPlaying, position, hasFailed, toggle, seek, handlers }
}
