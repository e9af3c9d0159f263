/** Only one sound is heard at a time. */
export function pauseOtherSounds(playing?: HTMLMediaElement) {
  for (const sound of document.querySelectorAll('audio')) if (sound !== playing) sound.pause()
}
