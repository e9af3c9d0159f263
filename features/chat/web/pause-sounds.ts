/** Pauses all sounds of the page except `playing`, so that only one sound is heard. */
export function pauseOtherSounds(playing?: HTMLMediaElement) {
  for (const sound of document.querySelectorAll('audio')) if (sound !== playing) sound.pause()
}
