// msgpackr publishes this entry without its types.
declare module 'msgpackr/unpack-no-eval' {
  export { Unpackr } from 'msgpackr';
}
