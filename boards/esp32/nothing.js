/** In place of a setup module of the SDK that this board does not want. */
export default function (done) {
  done();
}
